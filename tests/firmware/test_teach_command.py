"""``stadtblick teach`` and using what was taught."""

import io
import re
import shlex
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.base.errors import UsageError
from firmware.base.language import in_language
from firmware.cli import command_parser, main
from firmware.commands.teach_terminal import report_lines
from firmware.data import SAMPLE
from firmware.games.registry import games
from firmware.scan.make_scan import read_file
from firmware.teaching.session import resume_session
from firmware.teaching.user_editions import (
    editions_folder,
    load_edition,
    rename_edition,
    stored_names,
)
from tests.firmware.commanded import editions, refusal, teach
from tests.refusals import refused
from tests.vision.described import PRINTED, tile
from tests.vision.laid_out import photo_of_flat, photo_of_layout
from tests.vision.pictured import drawn_face
from tests.vision.reference_photos import recolour, reference_image
from vision.editions.description_toml import parse_description
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition, encode_edition
from vision.photo.load import decode_photo, load_photo
from vision.teaching.learn_groups import find_groups

DOCS = Path(__file__).parents[2] / "docs"
PAGES = "".join((DOCS / name).read_text("utf-8") for name in ("editions.md", "own-games.md"))

TEACHABLE = """\
format = 2
name = "anything"
game = "reading-only"
layout = "free-tiles"
rows = 2
columns = 2
tile_mm = 40.0
turned = "any"

[[faces]]
name = "wood"

[[faces]]
name = "lake"
"""
FINISHED = TEACHABLE.replace("rows = 2", "rows = 3").replace("columns = 2", "columns = 3")
PICTURES = {"wood": tile(1, 128), "lake": tile(2, 128)}
LAYOUT = (("wood", "lake", "wood"), ("lake", None, None), ("wood", None, "lake"))


def encode(photo):
    """Return a photo as a PNG file, packed quickly."""
    image = getattr(photo, "image_bgr", photo)
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def write_photo(path, photo):
    path.write_bytes(photo if isinstance(photo, bytes) else encode(photo))
    return path


@cache
def laid_tiles():
    """The file of a photo of the layout, and the corners of its tiles."""
    photo, corners = photo_of_layout(PICTURES, LAYOUT)
    return encode(photo), corners


@cache
def photo_of_board():
    """The file of a photo of a board, and the corners of the board."""
    photo, corners = photo_of_flat(cv2.resize(tile(7, 256), (480, 360)))
    return encode(photo), corners


@cache
def photo_of_city():
    """The file of a photo of the city in the lower left of the sample photo."""
    return encode(load_photo(SAMPLE).image_bgr[703:1272, 283:862])


@cache
def photo_of_table():
    """The file of a photo of a finished table with tiles of two faces."""
    rows = (("wood", "lake", "wood"), ("lake", "lake", "wood"), ("wood", "lake", "lake"))
    pictures = {"wood": drawn_face(3), "lake": drawn_face(8)}
    return encode(photo_of_layout(pictures, rows, tile_px=110)[0])


@cache
def groups_of_table():
    """The groups of tiles in the photo of a finished table."""
    description = parse_description(FINISHED, "edition.toml")
    return find_groups(description, decode_photo(photo_of_table(), "table.png"))


@cache
def photo_of_faces():
    """The file of a photo of one tile of each face, laid as 3 x 3."""
    return encode(reference_image())


def examples_of(name):
    """Return the numbers of pictures that an edition has of its faces."""
    return set(map(len, load_edition(name, None).pictures.values()))


def written(corners):
    return [f"{x:.1f},{y:.1f}" for x, y in corners]


@pytest.fixture
def run_teach(prints):
    return partial(prints, "teach")


@pytest.fixture
def described(tmp_path):
    """A description without pictures, a layout file, and a photo with the corners of its tiles."""
    (tmp_path / "edition.toml").write_text(TEACHABLE)
    rows = ("  ".join(name or "." for name in row) for row in LAYOUT)
    (tmp_path / "layout.txt").write_text("\n".join(rows))
    photo, corners = laid_tiles()
    return [
        write_photo(tmp_path / "photo.png", photo), "--edition", "mine",
        "--description", tmp_path, "--layout", tmp_path / "layout.txt",
        "--corners", *written(corners),
    ]  # fmt: skip


class TestTeaching:
    def test_an_own_game_is_learned(self, described, run_teach):
        output = run_teach(*described)
        assert "Learned edition mine: 2 kinds, 2 pictures." in output
        assert "Use it with --edition mine." in output
        edition = load_edition("mine", "reading-only")
        assert edition.description.name == "mine"
        assert (set(edition.pictures), examples_of("mine")) == ({"wood", "lake"}, {1})

    def test_an_edition_is_not_replaced_by_chance(self, described):
        teach(*described)
        assert refusal(teach, *described) == "edition-exists"
        without_description = [*described[:3], *described[5:], "--add"]
        assert teach(*without_description) == 0
        assert refusal(teach, *described, "--add") == "usage"
        assert teach(*described, "--replace") == 0
        assert examples_of("mine") == {1}
        assert stored_names() == ["mine"]

    def test_nothing_is_stored_when_something_is_wrong(self, described, tmp_path):
        assert refusal(teach, *described, "--game", "cities") == "usage"
        assert refusal(teach, *described[:-1], "0,0") == "teach-corners"
        assert refusal(teach, *described[:5]) == "teach-layout-needed"
        assert refusal(teach, described[0], *described) == "usage"
        (tmp_path / "layout.txt").write_text("wood wald\nwood wood")
        assert refusal(teach, *described) == "teach-layout"
        (tmp_path / "layout.txt").unlink()
        assert refusal(teach, *described) == "edition-file"
        (tmp_path / "edition.toml").write_text("format = 2\nrows = 3\n")
        assert refusal(teach, *described) == "description-missing-key"
        assert stored_names() == []

    def test_points_that_are_none_are_refused_in_one_line(self, described, refuses):
        for wrong in ("505", "a,b", "1,2,3", "nan,1", "1,nan", "inf,1", "1e300,1"):
            assert "is no point" in refuses("teach", *described[:-1], wrong)["message"]

    def test_the_board_of_an_own_game_is_learned(self, described, tmp_path):
        text = PRINTED.replace('images = ["coin.png"]\n', "").replace("[[faces]]\n", "[[faces]]\n")
        text = text.replace('images = ["wood.png"]\n', "").replace('"coin"', '"lake"')
        (tmp_path / "edition.toml").write_text(text)
        assert refusal(teach, *described) == "teach-missing-board"
        photo, corners = photo_of_board()
        board = ["--board", write_photo(tmp_path / "board-photo.png", photo)]
        assert refusal(teach, *described, *board) == "usage"
        board += ["--board-corners", *written(corners), "--up", "top"]
        assert teach(*described, *board) == 0
        height, width = load_edition("mine", None).board_picture.shape[:2]
        assert width / height == pytest.approx(200 / 150, rel=0.01)


class TestDoubtfulLayouts:
    """A layout that says less than the photo shows."""

    @pytest.fixture
    def short(self, described, tmp_path):
        rows = ("  ".join(name or "." for name in row) for row in LAYOUT[:2])
        (tmp_path / "layout.txt").write_text("\n".join(rows))
        return described

    @pytest.fixture
    def answers(self, monkeypatch):
        def answer(line):
            stream = io.StringIO(line)
            stream.isatty = lambda: True
            monkeypatch.setattr("sys.stdin", stream)

        return answer

    def test_doubtful_layout_is_refused_without_a_terminal(self, short):
        with refused("teach-doubtful", "learn it all the same with --sure"):
            teach(*short)
        assert stored_names() == []

    def test_the_person_is_asked(self, short, answers, run_teach):
        answers("yes\n")
        assert "goes on beyond row 2, column 3" in run_teach(*short)
        assert stored_names() == ["mine"]

    def test_another_answer_than_yes_learns_nothing(self, short, answers):
        answers("\n")
        assert refusal(teach, *short) == "teach-doubtful"
        assert stored_names() == []

    def test_a_script_may_be_sure(self, short):
        assert teach(*short, "--sure") == 0
        assert stored_names() == ["mine"]


class TestWayUp:
    @pytest.fixture
    def upright(self, described, tmp_path):
        text = TEACHABLE.replace('"any"', '"upright"')
        (tmp_path / "edition.toml").write_text(text)
        return described

    def test_an_unknown_one_needs_a_person(self, upright, prints):
        assert "the way up cannot be read" in prints("teach", *upright, code=1)

    def test_the_person_is_asked(self, upright, prints, monkeypatch):
        stream = io.StringIO("left\n")
        stream.isatty = lambda: True
        monkeypatch.setattr("sys.stdin", stream)
        output = prints("teach", *upright)
        assert "Where are the tops of these tiles?" in output
        assert "cannot be read" not in output

    def test_top_side_can_be_given_by_an_option(self, upright):
        assert teach(*upright, "--up", "left") == 0

    def test_top_side_is_refused_for_arrangements(self, upright):
        assert refusal(teach, upright[0], "--edition", "mine", "--up", "left") == "usage"


def test_a_board_alone_is_no_edition_to_read_with(tmp_path, prints):
    text = PRINTED.partition("[[board.slots]]")[0] + '[[faces]]\nname = "wood"\n'
    (tmp_path / "edition.toml").write_text(text)
    photo, corners = photo_of_board()
    board = write_photo(tmp_path / "board-photo.png", photo)
    output = prints(
        "teach", "--edition", "mine", "--description", tmp_path, "--board", board,
        "--board-corners", *written(corners), code=1,
    )  # fmt: skip
    assert "It knows no tile yet" in output
    assert "Use it" not in output


@pytest.mark.parametrize(
    "line", re.findall(r"^stadtblick (?:teach|editions) .*$", PAGES, re.MULTILINE)
)
def test_the_commands_of_the_documentation_are_understood(line):
    _program, command, *words = shlex.split(line)
    options = command_parser(command).parse_args([command, *words])
    assert options.command in ("teach", "editions")


@cache
def few_blocks():
    """City Blocks with fourteen of its faces and four places for values."""
    standard = built_in_edition("city-blocks")
    known = re.compile("(blue|red)-(house-[12]|shop-[23])|value-[1-6]")
    pictures = {name: each for name, each in standard.pictures.items() if known.fullmatch(name)}
    described, board = standard.description, standard.description.board
    values = tuple(name for name in pictures if name.startswith("value-"))
    board = replace(
        board,
        slots=tuple(replace(each, faces=values, count=2) for each in board.slots),
        heaps=tuple(replace(each, faces=values) for each in board.heaps),
    )
    faces = tuple(face for face in described.faces if face.name in pictures)
    return replace(
        standard, description=replace(described, faces=faces, board=board), pictures=pictures
    )


@cache
def arranged(game, sheet):
    """A photo of the built-in tiles of a game in one of its arrangements."""
    standard = few_blocks() if game == "city-blocks" else built_in_edition(game)
    tiles = {name: of_face[0] for name, of_face in standard.pictures.items()}
    darker = {name: np.uint8(picture * 0.8) for name, picture in tiles.items()}
    layout = games()[game].arrangements(standard.description)[sheet]
    return photo_of_layout(darker, layout, tile_px=110 if len(layout) == 2 else 80)


class TestTeachingKnownGames:
    def test_cities_is_learned_from_its_arrangement(self, tmp_path):
        photo, corners = arranged("cities", "tiles")
        path = write_photo(tmp_path / "tiles.png", photo)
        arguments = [path, "--edition", "mine", "--game", "cities", "--corners", *written(corners)]
        assert teach(*arguments) == 0
        mine, standard = load_edition("mine", "cities"), built_in_edition("cities")
        cells, drawn = ([face.cells for face in one.description.faces] for one in (mine, standard))
        assert cells == drawn
        assert mine.description.tokens == standard.description.tokens
        for name, pictures in mine.pictures.items():
            assert len(pictures) == 1
            assert not np.array_equal(pictures[0], standard.pictures[name][0])

    def test_the_arrangement_is_found_without_its_corners(self, tmp_path):
        photo, _ = arranged("cities", "tiles")
        path = write_photo(tmp_path / "tiles.png", photo)
        assert teach(path, "--edition", "mine", "--game", "cities") == 0
        mine, standard = load_edition("mine", "cities"), built_in_edition("cities")
        for name, (picture, *_) in mine.pictures.items():
            drawn = cv2.resize(standard.pictures[name][0], (48, 48), interpolation=cv2.INTER_AREA)
            taught = cv2.resize(picture, (48, 48), interpolation=cv2.INTER_AREA)
            assert np.corrcoef(drawn.ravel(), taught.ravel())[0, 1] > 0.75

    def test_a_photo_in_which_no_grid_is_found_needs_corners(self, tmp_path):
        photo, _ = arranged("cities", "tiles")
        bare = np.full_like(photo.image_bgr, 90)
        path = write_photo(tmp_path / "bare.png", bare)
        assert refusal(teach, path, "--edition", "mine", "--game", "cities") == "teach-no-outline"
        assert stored_names() == []

    @pytest.fixture
    def few(self, tmp_path):
        """The folder of a description of City Blocks with few faces, and smaller tiles."""
        edition = few_blocks()
        smaller = replace(edition.description, tile_mm=29.0)
        (tmp_path / "few").mkdir()
        for name, data in encode_edition(replace(edition, description=smaller)).items():
            (tmp_path / "few" / name).write_bytes(data)
        return tmp_path / "few"

    def test_city_blocks_is_learned_sheet_by_sheet(self, few, tmp_path, run_teach):
        calls = []
        for number, sheet in enumerate(("blue", "red", "values")):
            photo, corners = arranged("city-blocks", sheet)
            path = write_photo(tmp_path / f"{sheet}.png", photo)
            arguments = [path, "--edition", "mine", "--faces", sheet, "--corners"]
            arguments += written(corners)
            arguments += ["--add"] if number else ["--description", few]
            calls.append(run_teach(*arguments, code=1))
        assert re.search("^Not taught yet.*red-house-1", calls[0], re.MULTILINE)
        assert "Not taught yet, still as built in: the board" in calls[2].splitlines()
        mine = load_edition("mine", "city-blocks")
        assert all(len(pictures) == 1 for pictures in mine.pictures.values())
        for known in (mine.model.references, mine.model.loose):
            named = [n for n, name in enumerate(known.faces) if name is not None]
            assert {np.count_nonzero(known.face_index == n) for n in named} == {1}, (
                "drawn ones are gone"
            )
        photo, corners = photo_of_flat(few_blocks().board_picture[::-1].copy())
        board = ["--board", write_photo(tmp_path / "board.png", photo)]
        board += ["--board-corners", *written(corners)]
        assert "Not taught yet" not in run_teach("--edition", "mine", "--add", *board)
        after = load_edition("mine", "city-blocks").model
        assert not np.allclose(after.rim[0], mine.model.rim[0])
        assert len(after.loose.face_index) == len(mine.model.loose.face_index)

    def test_a_corrected_description_of_the_game_is_taught(self, few, tmp_path, run_teach):
        photo, corners = arranged("city-blocks", "blue")
        path = write_photo(tmp_path / "photo.png", photo)
        arguments = [path, "--edition", "mine", "--description", few, "--faces", "blue"]
        output = run_teach(*arguments, "--corners", *written(corners), code=1)
        (left,) = (line for line in output.splitlines() if line.startswith("Not taught yet"))
        assert left.startswith("Not taught yet, still as built in: red-house-1")
        assert "blue-" not in left
        assert load_edition("mine", "city-blocks").description.tile_mm == 29.0

    def test_incomplete_arrangement_options_are_refused(self, tmp_path):
        photo, corners = arranged("city-blocks", "blue")
        path = write_photo(tmp_path / "blue.png", photo)
        start = [path, "--edition", "mine", "--game", "city-blocks", "--corners", *written(corners)]
        assert refusal(teach, *start) == "usage"
        assert refusal(teach, *start, "--faces", "green") == "usage"
        assert refusal(teach, *start, "--faces", "blue", "--shop-at", "top-left") == "usage"
        assert refusal(teach, path, "--edition", "standard", "--game", "cities") == "edition-name"
        assert stored_names() == []


def test_rest_of_a_long_list_is_translated():
    edition = built_in_edition("dice-board")
    with in_language("de"):
        lines = report_lines(edition, [], list(edition.pictures), Path("contact-sheet.png"))
    assert any(line.endswith("und 154 weitere") for line in lines)


def test_example_like_the_built_in_picture_stays_when_more_is_added():
    built_in = rename_edition(built_in_edition(BETWEEN_TWO_CITIES), "mine")
    known = built_in.model.references
    example = known.of_faces({"park"}).take(slice(1))
    stored = replace(built_in, model=replace(built_in.model, references=known.joined(example)))
    session = resume_session(stored)
    learned = session.learned
    assert learned.model.references.faces == ("park",)
    counts = [len(each.of_faces({"park"}).face_index) for each in (known, learned.model.references)]
    assert counts[1] == counts[0] + 1
    after = session.complete(learned).model.references
    assert len(after.face_index) == len(known.face_index) + 1


class TestCorrections:
    """Single tiles of a table teach: ``teach --set``."""

    @pytest.fixture
    def city(self, tmp_path):
        """A photo of the city in the lower left of the sample photo."""
        return write_photo(tmp_path / "city.png", photo_of_city())

    @pytest.fixture
    def tile(self, city):
        """Read the left tile in the second row of the city with an edition."""
        return lambda name: (
            read_file(city, load_edition(name, BETWEEN_TWO_CITIES))[1].grids[0].faces[1][0]
        )

    def test_a_tile_is_learned_by_a_copy_and_forgotten_again(self, city, tile, run_teach):
        assert tile(None) == "house"
        assert "Learned edition mine: 9 kinds" in run_teach(
            city, "--edition", "mine", "--set", "A:1,1=shop"
        )
        before = tile("mine")
        assert teach(city, "--edition", "mine", "--add", "--set", "A:2,1=park") == 0
        assert tile("mine") == "park"
        for face in (before, "park"):
            assert editions("undo", "mine") == 0
            assert tile("mine") == face

    def test_edition_changed_meanwhile_is_kept(self, city, tile, monkeypatch):
        assert teach(city, "--edition", "mine", "--set", "A:1,1=shop") == 0

        def read_after_change(*asked):
            monkeypatch.setattr("firmware.commands.teach.read_file", read_file)
            assert teach(city, "--edition", "mine", "--add", "--set", "A:2,1=park") == 0
            return read_file(*asked)

        monkeypatch.setattr("firmware.commands.teach.read_file", read_after_change)
        assert refusal(teach, city, "--edition", "mine", "--add", "--set", "A:1,1=shop") == (
            "edition-changed"
        )
        assert tile("mine") == "park"

    def test_corrections_of_a_photo_without_tiles_are_refused(self, tmp_path):
        path = write_photo(tmp_path / "bare.png", np.full((480, 640, 3), (90, 140, 60), np.uint8))
        path = write_photo(path, cv2.randn(cv2.imread(str(path)), (90, 140, 60), (40, 40, 40)))
        with pytest.raises(UsageError, match="arrangement or with --groups") as caught:
            teach(path, "--edition", "mine", "--set", "A:1,1=park")
        assert caught.value.code == "teach-nothing-known"
        assert stored_names() == []

    def test_two_faces_for_one_tile_are_refused_with_both(self, city):
        result = ["--set", "A:1,2=park", "--set", "A:1,2=shop"]
        with pytest.raises(UsageError, match="A:1,2 is named both park and shop") as caught:
            teach(city, "--edition", "mine", *result)
        assert caught.value.code == "correction-contradictory"
        assert caught.value.where == "--set A:1,2=shop"
        assert teach(city, "--edition", "mine", "--set", "A:1,1=shop", "--set", "A:1,1=shop") == 0

    @pytest.mark.parametrize(
        ("code", "more"),
        [
            ("usage", ["A:2,1=none"]),
            ("usage", ["A:2,1=park", "--groups"]),
            ("usage", ["A:1,1=shop", "--board-corners", "1,1", "2,1", "2,2", "1,2"]),
            ("usage", ["A:2,1=sight", "--game", "cities"]),
            ("correction-unknown-city", ["Q:2,1=park"]),
        ],
    )
    def test_correction_of_no_tile_is_refused(self, city, code, more):
        assert refusal(teach, city, "--edition", "mine", "--set", *more) == code
        assert stored_names() == []


class TestGroups:
    """Any finished table teaches: ``teach --groups``."""

    @pytest.fixture
    def table(self, tmp_path, monkeypatch):
        """A description of a game and a photo of a table; the working folder is empty."""
        (tmp_path / "edition.toml").write_text(FINISHED)
        path = write_photo(tmp_path / "table.png", photo_of_table())
        (tmp_path / "here").mkdir()
        monkeypatch.chdir(tmp_path / "here")
        return [path, "--edition", "mine", "--description", tmp_path, "--groups"]

    @pytest.fixture
    def _grouped_once(self, monkeypatch):
        """Find the groups of the table once: these tests are about their names."""
        monkeypatch.setattr(
            "firmware.commands.teach_groups.find_groups", lambda *_, **__: groups_of_table()
        )

    def test_the_groups_are_shown_and_what_they_are_called_is_learned(
        self, table, run_teach, capsys
    ):
        output = run_teach(*table, code=1)
        assert "2 groups of tiles: mine-groups.png" in output
        assert "--groups 1=wood 2=lake" in output
        assert cv2.imread("mine-groups.png").shape[0] == 2 * 104 + 8
        assert stored_names() == []
        assert teach(*table, "1=lake", "2=wood") == 0
        edition = load_edition("mine", "reading-only")
        assert set(edition.pictures) == {"wood", "lake"}
        capsys.readouterr()
        assert main(["read", str(table[0]), "--edition", "mine"]) == 0
        assert "wood" in capsys.readouterr().out

    @pytest.mark.usefixtures("_grouped_once")
    def test_picture_of_groups_never_replaces_the_photo(self, table):
        photo = write_photo(Path("mine-groups.png"), photo_of_table())
        with refused("out-is-the-photo", "rename the photo", photo):
            teach(photo, *table[1:])
        assert photo.read_bytes() == photo_of_table()

    @pytest.mark.usefixtures("_grouped_once")
    def test_a_person_is_asked(self, table, run_teach, monkeypatch):
        answers = iter(["lake", "wodo", "wood"])
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda _prompt: next(answers))
        output = run_teach(*table, "--lang", "de")
        assert "Sorten: wood, lake." in output
        assert "gemeint war wohl wood" in output
        assert set(load_edition("mine", "reading-only").pictures) == {"wood", "lake"}

    def test_tops_of_upright_tiles_in_new_look_are_asked(self, table, run_teach, monkeypatch):
        description = table[table.index("--description") + 1] / "edition.toml"
        description.write_text(description.read_text().replace('"any"', '"upright"'))
        assert "so the way up cannot be read" in run_teach(*table, "1=lake", "2=wood")
        shown = load_edition("mine", "reading-only").pictures
        assert "cannot be read" not in run_teach(
            *table, "1=lake", "2=wood", "--up", "left", "--replace"
        )
        answers = iter(["lake", "wood", "letf", "left"])
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda _prompt: next(answers))
        assert "gemeint war wohl left" in run_teach(*table, "--replace", "--lang", "de")
        for name, (picture, *_) in load_edition("mine", "reading-only").pictures.items():
            assert np.array_equal(picture, np.rot90(shown[name][0], -1))
        assert refusal(teach, *table[:-1], "--up", "left", "--replace") == "usage"

    @pytest.mark.usefixtures("_grouped_once")
    def test_nothing_is_learned_when_nobody_names_a_group(self, table, monkeypatch):
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda _prompt: "")
        assert refusal(teach, *table) == "usage"
        assert stored_names() == []
        assert refusal(teach, table[0], *table) == "usage"
        assert refusal(teach, *table[:-1], "--corners", "1,1", "2,1", "2,2", "1,2", "--groups") == (
            "usage"
        )

    def test_photo_of_a_board_beside_groups_is_refused(self, table):
        with pytest.raises(UsageError, match="nor --board"):
            teach(*table, "--board", table[0])

    @pytest.mark.usefixtures("_grouped_once")
    def test_two_names_for_one_group_are_refused_with_both(self, table):
        with pytest.raises(UsageError, match="group 1 is named both wood and lake"):
            teach(*table, "1=wood", "2=lake", "1=lake")
        assert stored_names() == []
        assert teach(*table, "1=wood", "2=lake", "1=wood") == 0

    @pytest.mark.usefixtures("_grouped_once")
    @pytest.mark.parametrize(
        "wrong", ["1", "0=wood", "3=wood", "0000012=wood", "x=wood", "1=wald", "=", "1=="]
    )
    def test_a_wrong_name_or_number_is_refused(self, table, wrong):
        assert refusal(teach, *table, wrong) == "usage"
        assert stored_names() == []


class TestReferenceGrid:
    """Between Two Cities: one tile of each face, laid as 3 x 3."""

    @pytest.fixture
    def faces(self, tmp_path):
        return write_photo(tmp_path / "faces.png", photo_of_faces())

    def test_reference_grid_is_learned_used_and_listed(self, faces, run_teach, capsys):
        output = run_teach(faces, "--edition", "my-copy")
        assert "Learned edition my-copy: 9 kinds, 9 pictures." in output
        folder = editions_folder() / "my-copy"
        assert str(folder / "contact-sheet.png") in output
        written = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert encode_edition(load_edition("my-copy", None)).items() <= written.items()
        photo = "firmware/data/between-two-cities.jpg"
        assert main(["read", photo, "--edition", "my-copy", "--json"]) == 0
        assert '"edition": "my-copy"' in capsys.readouterr().out
        assert main(["read", photo, "--edition", "zzz"]) == 2
        assert "known are standard, my-copy" in capsys.readouterr().err
        assert teach(faces, "--edition", "my-copy", "--add") == 0
        assert examples_of("my-copy") == {1}, "the same photo tells nothing new"

    @pytest.mark.parametrize(
        "more", [(), ("--corners", "100,100", "900,100", "900,900", "100,900"), ("--groups",)]
    )
    def test_black_and_white_photo_is_refused(self, tmp_path, more):
        grey = cv2.cvtColor(reference_image(), cv2.COLOR_BGR2GRAY)
        path = write_photo(tmp_path / "faces.png", cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
        with refused("photo-colourless", "take it with a colour camera", path):
            teach(path, "--edition", "my-copy", *more)
        assert stored_names() == []

    def test_reference_grid_adds_to_an_edition_taught_one_tile(self, faces, run_teach):
        assert teach(SAMPLE, "--edition", "my-copy", "--set", "A:2,1=park") == 0
        assert "so the order of the tiles was checked" in run_teach(
            faces, "--edition", "my-copy", "--add"
        )
        known = load_edition("my-copy", BETWEEN_TWO_CITIES).model.references
        assert len(known.face_index) > len(
            built_in_edition(BETWEEN_TWO_CITIES).model.references.face_index
        )

    def test_photos_of_different_looks_are_refused(self, faces, tmp_path):
        new = write_photo(tmp_path / "new.png", recolour(reference_image()))
        assert refusal(teach, faces, new, "--edition", "my-copy") == "teach-which-way"
        assert stored_names() == []

    @pytest.mark.parametrize("name", ["", "a/b", "..", "a b", "ä", "x" * 41, "standard"])
    def test_a_name_that_is_none_is_refused(self, faces, name):
        assert refusal(teach, faces, "--edition", name) == "edition-name"

    def test_a_name_like_an_option_is_refused(self, faces):
        assert refusal(teach, faces, "--edition=-x") == "edition-name"

    def test_options_of_other_games_are_refused(self, faces):
        assert refusal(teach, faces, "--edition", "my-copy", "--game", "chess") == "teach-game"
        assert refusal(teach, faces, "--edition", "my-copy", "--faces", "blue") == "usage"
        assert refusal(teach, "--edition", "my-copy") == "usage"
