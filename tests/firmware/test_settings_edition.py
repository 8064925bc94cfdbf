"""The settings name an edition that cannot be used: commands work on with the built-in one."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.base.language import LANGUAGES
from firmware.cli import main
from firmware.settings import Settings
from firmware.settings.edition_fallback import with_built_in_edition
from firmware.teaching.user_editions import editions_folder, save_edition
from firmware.wording.problem_text import problem_line
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from vision.editions.edition import DescriptionError
from vision.editions.folder import built_in_edition


def settings_file(text):
    path = Path(os.environ["STADTBLICK_HOME"]) / "settings.toml"
    path.write_text(text)
    return path


@pytest.fixture
def says(capsys, photo):
    """Run a command on a photo; return exit code, standard output and standard error."""

    def run(command, *options):
        capsys.readouterr()
        code = main([command, photo, *options], reader=FakeEye(*EXAMPLE))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def damaged():
    """An edition whose description is no TOML."""
    file = editions_folder() / "mine" / "edition.toml"
    file.parent.mkdir(parents=True)
    file.write_text("x")
    return file


@pytest.mark.parametrize("command", ["scan", "read"])
class TestCommands:
    def test_missing_edition_is_reported_with_file_and_key(self, says, command):
        path = settings_file('edition = "gone"\n')
        code, out, err = says(command)
        assert code == 0
        assert out == says(command, "--edition", "standard")[1]
        assert err == (
            'stadtblick: "gone" cannot be used, "standard" is used instead; there is no edition '
            f"gone ({path}, edition): known are standard\n"
        )

    def test_damaged_edition_is_reported_with_its_own_file(self, says, command):
        path, file = settings_file('edition = "mine"\n'), damaged()
        code, _out, err = says(command)
        assert code == 0
        assert "it is not TOML" in err
        place = f"{file}, end of document ({path}, edition)"
        assert f"correct it, in {place}: or set another edition\n" in err

    def test_one_of_another_game_is_told(self, says, command):
        usual = built_in_edition("cities")
        save_edition(replace(usual, description=replace(usual.description, name="mine")))
        path = settings_file('edition = "mine"\n')
        code, _out, err = says(command)
        assert code == 0
        assert (
            f"is of cities, not of between-two-cities ({path}, edition): choose another edition"
            in err
        )

    def test_in_json_nothing_stands_beside_the_answer(self, says, command):
        settings_file('edition = "gone"\n')
        code, out, err = says(command, "--json")
        assert (code, err) == (0, "")
        assert json.loads(out)["cities"]

    def test_game_without_built_in_edition_falls_back_to_another(self, says, command):
        settings_file('game = "reading-only"\nedition = "gone"\n')
        code, out, err = says(command)
        assert code == 0
        assert '"standard" of "between-two-cities" is used instead; there is no edition gone' in err
        assert out == says(command, "--edition", "standard", "--game", "between-two-cities")[1]

    def test_no_fallback_if_an_option_names_the_game(self, refuses, photo, command):
        path = settings_file('game = "reading-only"\nedition = "gone"\n')
        error = refuses(command, photo, "--game", "reading-only")
        assert (error["code"], error["where"]) == ("unknown-edition", f"{path}, edition")

    def test_edition_named_by_an_option_must_exist(self, refuses, photo, command):
        settings_file('edition = "other"\n')
        error = refuses(command, photo, "--edition", "gone")
        assert (error["code"], error["where"]) == ("unknown-edition", "--edition")


def test_removing_the_one_that_the_settings_name_says_so(capsys):
    path = settings_file('edition = "mine"\n')
    damaged()
    assert main(["editions", "remove", "mine", "--yes"]) == 0
    assert f"The settings name it ({path}, edition)" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_warning_can_be_said_in_each_language(language):
    from firmware.base.language import use_language

    use_language(language)
    error = DescriptionError("edition-damaged", "it is not: teach it again", "a/edition.toml")
    after, warning = with_built_in_edition(Settings(game="reading-only", edition="mine"), error)
    assert (after.game, after.edition) == ("between-two-cities", "standard")
    assert "a/edition.toml" in problem_line(warning)
