"""Write a description: ``edition.toml`` in format 2, which docs/editions.md documents."""

from collections.abc import Mapping

from vision.editions.description import BoardDescription, Description
from vision.editions.description_toml import FORMAT, FREE_TILES, PRINTED_BOARD


def description_toml(description: Description) -> str:
    """The description as the text of an ``edition.toml``; ``parse_description`` reads it back."""
    board, beside = description.board, description.beside_faces
    lines = _lines(
        format=FORMAT,
        name=description.name,
        game=description.game,
        layout=FREE_TILES if board is None else PRINTED_BOARD,
        rows=description.rows,
        columns=description.columns,
        tile_mm=description.tile_mm,
        turned=description.turned.value,
        tile_cells=description.tile_cells,
        most_grids=description.most_grids,
        tile_height_mm=description.tile_height_mm or None,
        turns_matter=description.turns_matter or None,
        most_tokens=description.most_tokens,
        one_kind_of_token=description.one_kind_of_token or None,
        duplexes=description.duplexes or None,
        no_tokens_on=sorted(description.no_tokens_on) or None,
    )
    if board is not None:
        lines += _board_lines(board)
    if description.numbers:
        lines += _lines("[numbers]", **description.numbers)
    for token in description.tokens:
        blue, green, red = token.colour_bgr
        lines += _lines(
            "[[tokens]]",
            kind=token.kind,
            colour=f"#{red:02x}{green:02x}{blue:02x}",
            foot_mm=token.foot_mm,
            height_mm=token.height_mm,
        )
    for face in description.faces:
        has_cells = description.tile_cells != (1, 1) and face.name not in beside
        lines += _lines(
            "[[faces]]",
            name=face.name,
            images=face.images or None,
            cells=face.cells if has_cells else None,
        )
    return "\n".join(lines) + "\n"


def _board_lines(board: BoardDescription) -> list[str]:
    lines = _lines(
        "[board]",
        image=board.image,
        size_mm=board.size_mm,
        first_cell_mm=board.first_cell_mm,
        cell_mm=board.cell_mm,
        plots=sorted(board.plots) or None,
    )
    for slots in board.slots:
        lines += _lines(
            "[[board.slots]]",
            name=slots.name,
            faces=slots.faces,
            first_mm=slots.first_mm,
            step_mm=slots.step_mm,
            count=slots.count,
        )
    for heap in board.heaps:
        lines += _lines("[[board.heaps]]", name=heap.name, faces=heap.faces, area_mm=heap.area_mm)
    return lines


def _lines(heading: str | None = None, **values: object) -> list[str]:
    """A table of TOML; values that are None are left out."""
    said: Mapping[str, object] = {key: v for key, v in values.items() if v is not None}
    written = [f"{key} = {_written(value)}" for key, value in said.items()]
    return ["", heading, *written] if heading else written


def _written(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_written(each) for each in value)}]"
    return repr(value)
