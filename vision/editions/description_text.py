"""Write a description: ``edition.toml`` in format 2, which docs/editions.md documents."""

from vision.editions.description import BoardDescription, Description, TokenDescription
from vision.editions.description_toml import FORMAT, FREE_TILES, PRINTED_BOARD


def description_toml(description: Description) -> str:
    """The description as the text of an ``edition.toml``; ``parse_description`` reads it back."""
    board = description.board
    lines = [
        f"format = {FORMAT}",
        f'name = "{description.name}"',
        f'game = "{description.game}"',
        f'layout = "{FREE_TILES if board is None else PRINTED_BOARD}"',
        f"rows = {description.rows}",
        f"columns = {description.columns}",
        f"tile_mm = {description.tile_mm!r}",
        f'turned = "{description.turned.value}"',
        f"tile_cells = {_list(description.tile_cells)}",
        f"most_grids = {description.most_grids}",
        *(
            [f"tile_height_mm = {description.tile_height_mm!r}"]
            if description.tile_height_mm
            else []
        ),
    ]
    lines += _rule_lines(description)
    if board is not None:
        lines += _board_lines(board)
    if description.numbers:
        lines += ["", "[numbers]"]
        lines += [f"{name} = {_list(values)}" for name, values in description.numbers.items()]
    for token in description.tokens:
        lines += _token_lines(token)
    beside = description.beside_faces
    for face in description.faces:
        lines += ["", "[[faces]]", f'name = "{face.name}"']
        if face.images:
            lines.append(f"images = {_texts(face.images)}")
        if description.tile_cells != (1, 1) and face.name not in beside:
            lines.append(f"cells = [{', '.join(_texts(row) for row in face.cells)}]")
    return "\n".join(lines) + "\n"


def _rule_lines(description: Description) -> list[str]:
    lines = []
    if description.turns_matter:
        lines.append("turns_matter = true")
    if description.most_tokens is not None:
        lines.append(f"most_tokens = {description.most_tokens}")
    if description.one_kind_of_token:
        lines.append("one_kind_of_token = true")
    if description.duplexes:
        lines.append("duplexes = true")
    if description.no_tokens_on:
        lines.append(f"no_tokens_on = {_texts(tuple(sorted(description.no_tokens_on)))}")
    return lines


def _board_lines(board: BoardDescription) -> list[str]:
    lines = [
        "",
        "[board]",
        *([f'image = "{board.image}"'] if board.image is not None else []),
        f"size_mm = {_list(board.size_mm)}",
        f"first_cell_mm = {_list(board.first_cell_mm)}",
        f"cell_mm = {_list(board.cell_mm)}",
    ]
    if board.plots:
        lines.append(f"plots = [{', '.join(_list(cell) for cell in sorted(board.plots))}]")
    for slots in board.slots:
        lines += ["", "[[board.slots]]", f'name = "{slots.name}"', f"faces = {_texts(slots.faces)}"]
        lines += [f"first_mm = {_list(slots.first_mm)}", f"step_mm = {_list(slots.step_mm)}"]
        lines.append(f"count = {slots.count}")
    for heap in board.heaps:
        lines += ["", "[[board.heaps]]", f'name = "{heap.name}"', f"faces = {_texts(heap.faces)}"]
        lines.append(f"area_mm = {_list(heap.area_mm)}")
    return lines


def _token_lines(token: TokenDescription) -> list[str]:
    blue, green, red = token.colour_bgr
    return [
        "",
        "[[tokens]]",
        f'kind = "{token.kind}"',
        f'colour = "#{red:02x}{green:02x}{blue:02x}"',
        f"foot_mm = {token.foot_mm!r}",
        f"height_mm = {token.height_mm!r}",
    ]


def _list(values: tuple[float, ...]) -> str:
    return f"[{', '.join(repr(value) for value in values)}]"


def _texts(texts: tuple[str, ...]) -> str:
    quoted = ", ".join(f'"{text}"' for text in texts)
    return f"[{quoted}]"
