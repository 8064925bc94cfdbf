import json

import pytest

from firmware.cli import main
from tests.firmware.fake_eye import write_photo


@pytest.fixture
def photo(tmp_path):
    """The path of a photo for an eye that sees what it is told."""
    return str(write_photo(tmp_path / "table.jpg"))


@pytest.fixture
def score(tmp_path, capsys):
    """Score JSON text or a value; gives exit code, standard output and standard error."""

    def run(table, *arguments):
        file = tmp_path / "table.json"
        if isinstance(table, bytes):
            file.write_bytes(table)
        else:
            file.write_text(table if isinstance(table, str) else json.dumps(table), "utf-8")
        code = main(["score", *arguments, str(file)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run
