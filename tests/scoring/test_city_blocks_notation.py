import pytest
from city_blocks_tables import EXAMPLE_BOARD
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError, ScoringError
from scoring.faces import Building, Side
from scoring.games.city_blocks.notation import format_board, parse_board
from scoring.games.city_blocks.table import Plot

plots = st.builds(
    Plot, st.sampled_from(Side), st.sampled_from(Building), st.none() | st.integers(0, 9)
)
rows = st.lists(st.none() | plots, min_size=1, max_size=7).map(tuple)
boards = st.lists(rows, min_size=1, max_size=6).map(tuple)
scraps = st.sampled_from([*"brHSFEPMC0159-/ x", " / ", "bH1", "rC", "--", "\n", "٣"])


def test_each_letter_is_an_owner_or_a_kind():
    assert parse_board("bH1 rS2 bF3 / rE bP rM / bC -- --") == (
        (
            Plot(Side.BLUE, Building.HOUSE, 1),
            Plot(Side.RED, Building.SHOP, 2),
            Plot(Side.BLUE, Building.FACTORY, 3),
        ),
        (
            Plot(Side.RED, Building.SCHOOL),
            Plot(Side.BLUE, Building.POWER_PLANT),
            Plot(Side.RED, Building.MALL),
        ),
        (Plot(Side.BLUE, Building.COURT), None, None),
    )


def test_spaces_and_line_breaks_may_line_the_plots_up():
    assert parse_board("\n bH1  rC  /\n --   bS4\n") == parse_board("bH1 rC / -- bS4")
    assert parse_board("bH1/rC") == parse_board("bH1 / rC")


def test_a_board_is_written_with_single_spaces():
    text = format_board(parse_board(EXAMPLE_BOARD))
    assert text == " ".join(EXAMPLE_BOARD.split())
    assert text.startswith("bS2 rS4 rC bH3 rH2 bC / bH1 ")


@given(boards)
def test_every_board_reads_back_as_it_was_written(board):
    assert parse_board(format_board(board)) == board


@given(st.lists(scraps, max_size=30).map("".join))
def test_any_text_is_read_exactly_or_refused(text):
    try:
        board = parse_board(text)
    except NotationError:
        return
    assert format_board(board).split() == text.replace("/", " / ").split()


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("", "empty-row", "row 1"),
        ("bH1 //rC", "empty-row", "row 2"),
        ("bH1 / ", "empty-row", "row 2"),
        ("bH1 / rC bX1", "bad-plot", "row 2, column 2"),
        ("gH1", "bad-plot", "row 1, column 1"),
        ("bh1", "bad-plot", "row 1, column 1"),
        ("bH10", "bad-plot", "row 1, column 1"),
        ("bH-1", "bad-plot", "row 1, column 1"),
        ("bH٣", "bad-plot", "row 1, column 1"),
        ("bH1rC", "bad-plot", "row 1, column 1"),
        ("-- -", "bad-plot", "row 1, column 2"),
        ("x" * 1000, "bad-plot", "row 1, column 1"),
    ],
)
def test_what_is_no_board_is_refused_with_its_place(text, code, where):
    with pytest.raises(NotationError) as refused:
        parse_board(text)
    assert (refused.value.code, refused.value.where) == (code, where)
    assert isinstance(refused.value, ScoringError)
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize("board", [(), ((),), ((None,), ())])
def test_a_board_with_an_empty_row_has_no_text(board):
    with pytest.raises(NotationError, match="no text form"):
        format_board(board)


@pytest.mark.parametrize("value", [-1, 10, pytest.param(10**5000, id="huge")])
def test_other_values_have_no_text(value):
    with pytest.raises(NotationError, match="0 to 9") as refused:
        format_board(((None, Plot(Side.RED, Building.SHOP, value)),))
    assert refused.value.where == "row 1, column 2"
