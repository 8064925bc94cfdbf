"""Every threshold of the eye, as OpenCV's DetectorParameters has those of its detector."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class EyeParameters:
    """All thresholds; lengths are in tile widths.

    Attributes:
        likely: a cell of the locator's map votes when it is at least this likely a tile or plot.
        same_tile: votes closer than this mean the same tile.
        least_votes: votes of less likelihood together are chance.
        neighbour_ratio: sizes of neighbours differ by less than this factor.
        neighbour_turn: directions of neighbours differ by less, in radians.
        neighbour_off: a neighbour lies off its place by less, at most.
        neighbour_gap: between neighbours there is at most this.
        least_chain: so many tiles in a lattice are more than chance.
        on_lattice: a tile belongs to a lattice when it lies off its place by less.
        same_lattice: of two lattices one is a part of the other if a larger share of its tiles lies
            on that one as well.
        metric_ratio: areas of cells on one table differ by less than this factor.
        least_seen: share of a grid's cells in which the locator must have seen something.
        end_margin: a grid's place is certain if that a row aside has this much less, of a row.
        most_beside: with less than this of what known tiles have, a row beside a grid has none.
        most_overlap: grids, or what is unread, have less of the smaller one in common.
        least_unread: tiles that lie together without a grid are told from this share of a grid on.
        least_whole: a patch is no tile in its place if it is less likely one.
        mostly_whole: what is like no face is no grid where no more of its places show whole tiles.
        clearly_whole: a grid lies there whose outermost tiles are all likelier whole ones.
        refine_beyond: a tile's quad is moved if its corners lie off by more in the mean.
        most_refined: no corner is moved by more.
        colour_weight: what a unit of squared difference of colour costs in similarity.
        grey_weight: the same of brightness, which depends on light the most.
        most_colour: no squared difference of colour counts for more; a shadow may have made it.
        spread_colour: colours of one face in one photo differ by about this, in logarithms.
        placed_tiles: a grid is taken to lie in its place as if so many tiles had shown that,
        even_tiles: and to be laid neither too wide nor askew as if so many had.
        own_share: of what a tile seems to lie off beside its grid so much is believed.
        replace_beyond: a patch is cut out anew if it lies beside its tile by more.
        lookalike: references with a greater cosine look alike but for a part.
        compare_below: faces whose similarity differs by less are compared by windows.
        detail_weight: of the similarity of each of three windows beside that of the whole.
        least_similarity: what is less similar to all references is unknown.
        sure: a face that is less likely right is flagged.
        weak_similarity: a tile less similar to its face is sure by its windows alone.
        least_lead: of faces that look alike but for a part, such as a number, one whose lead over
            the other is a smaller share of what the two are apart is in doubt.
        clear_lead: so is one with a smaller share that is not clearly sure.
        least_apart: faces whose references differ by less cannot be told apart.
        most_apart: a lead is a share of this at most; of faces that differ by more a part tells.
        clearly_sure: on a face that is less likely right, other sure tiles of the photo vote.
        least_even: edges across one direction are this share of those across any other, or the
            photo is smeared by a camera that moved.
        sure_smeared: where it is, a face that is less likely right is flagged.
        least_supported: none is voted for that is less likely right,
        support_window: nor one of which the third least similar window is less so.
        window_lead: a face that has little margin is no surer by windows that are less more similar
            to those of its references than to those of the next face, in the mean; and by so much
            another one must be ahead that a tile on which something stands shows instead.
        support_lead: a tile is voted for if it is so much more similar to those of its face than to
            those of any other, as a share of how far apart the two are,
        support_similarity: and if it is so similar to them, as a share of how similar they are,
        support_margin: and if it has at least this margin by itself.
        least_opposed: a sure tile is voted against whose lead is less.
        clear_margin: a tile with less margin is not voted for where none shows the next face.
        least_rim: what lies round a board must be so similar to what is known of it, in the mean.
        rim_margin: a board and its rim must be so much more similar at their place than beside it.
        rim_turn_margin: the same, with the similarity of its tiles, of the board turned.
        upright_margin: a grid's tiles must be so much more similar the right way up, each.
        parts_weight: of the similarity of a tile's parts beside that of the whole.
        same_group: tiles of a table that are so similar show the same face.
        least_typical: a grid of a smaller median similarity to references is another thing; so a
            table has another look.
        least_typical_same: the same of a grid whose tiles all look the same; it lies face down.
        same_face: cosine between tiles that look the same and their mean.
        most_unsure: a grid with a larger share of uncertain cells is flagged whole.
        turned_margin: a tile that is so much more similar in another turn than its grid's lies so.
        most_turned: a grid of upright tiles with a larger share of turned ones is flagged whole.
        least_known: tiles in no grid, or in what is hardly one, are none of the edition's if all
            are less similar to references.
        hidden_below: an uncertain tile that is less similar is hidden, or there is none.
        table_colour: a squared difference of colour makes a place so much less like the table.
        chance_gain: of a unit of similarity in the logarithm of a face's chance.
        figure_seen: squares that show a figure less likely show none.
        figure_body: those that tell its colour are likelier.
        figure_unclear: what is less likely a figure is none.
        figure_least: what is less likely a figure is asked about, and not read as one.
        figure_sure: and what is less likely one is read, and asked about.
        part_covered: a part of a tile of which a figure hides more tells nothing of its face.
        figure_off: a colour farther off a paint, in logarithms, may be another one.
        figure_margin: a colour must be by so much nearer to one paint than to any other.
        figure_part: where a part of a tile is less similar to its face, its window is examined,
        figure_window: and if that is less similar, a figure may stand there unseen.
        figure_edge: a foot as near to the edge of a cell, in feet, may stand on the next one.
        piece_seen: squares that show a loose piece less likely show none.
        piece_least: a loose piece shows at least this share of its area.
    """

    likely: float = 0.3
    same_tile: float = 0.33
    least_votes: float = 0.6
    neighbour_ratio: float = 1.35
    neighbour_turn: float = 0.25
    neighbour_off: float = 0.25
    neighbour_gap: float = 0.3
    least_chain: int = 3
    on_lattice: float = 0.25
    same_lattice: float = 0.5
    metric_ratio: float = 1.3
    least_seen: float = 0.45
    end_margin: float = 0.4
    most_beside: float = 0.3
    most_overlap: float = 0.2
    least_unread: float = 0.3
    least_whole: float = 0.5
    mostly_whole: float = 0.75
    clearly_whole: float = 0.9
    refine_beyond: float = 0.03
    most_refined: float = 0.2
    colour_weight: float = 1.5
    grey_weight: float = 0.05
    most_colour: float = 0.3
    lookalike: float = 0.65
    spread_colour: float = 0.15
    placed_tiles: float = 2.0
    even_tiles: float = 8.0
    own_share: float = 0.3
    replace_beyond: float = 0.07
    compare_below: float = 0.25
    detail_weight: float = 0.5
    least_similarity: float = 0.5
    sure: float = 0.95
    weak_similarity: float = 0.7
    least_lead: float = 0.15
    clear_lead: float = 0.3
    least_apart: float = 0.03
    most_apart: float = 0.8
    clearly_sure: float = 0.98
    least_even: float = 0.55
    sure_smeared: float = 0.99
    least_supported: float = 0.3
    support_window: float = 0.5
    window_lead: float = 0.1
    support_lead: float = 0.4
    support_similarity: float = 0.93
    support_margin: float = 0.02
    least_opposed: float = 0.2
    clear_margin: float = 0.12
    least_rim: float = 0.48
    rim_margin: float = 0.02
    rim_turn_margin: float = 0.06
    upright_margin: float = 0.03
    parts_weight: float = 0.4
    same_group: float = 0.6
    least_typical: float = 0.69
    least_typical_same: float = 0.8
    same_face: float = 0.9
    most_unsure: float = 0.5
    turned_margin: float = 0.05
    most_turned: float = 0.25
    least_known: float = 0.8
    hidden_below: float = 0.75
    table_colour: float = 0.5
    chance_gain: float = 20.0
    figure_seen: float = 0.08
    figure_body: float = 0.6
    figure_unclear: float = 0.05
    figure_least: float = 0.4
    figure_sure: float = 0.65
    part_covered: float = 0.1
    figure_off: float = 0.55
    figure_margin: float = 0.1
    figure_part: float = 0.84
    figure_window: float = 0.72
    figure_edge: float = 0.15
    piece_seen: float = 0.07
    piece_least: float = 0.09


PARAMETERS = EyeParameters()
"""Those in use."""
