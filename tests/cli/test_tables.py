"""Tables in plain text are those of tabulate, which takes long to import."""

from hypothesis import example, given
from hypothesis import strategies as st
from tabulate import tabulate

from pres_plugin.cli.output import aligned
from pres_plugin.escaping import in_table

CELLS = st.one_of(st.text(st.characters(max_codepoint=127), max_size=12), st.text(max_size=6)).map(
    in_table
)


@example([["run", "PRES@1000"], ["a", "0.5000"]], ["left", "right"])
@example([["run", "AP"], ["日本語", "0.5000"]], ["left", "right"])
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=5)
    ),
    st.lists(st.sampled_from(["left", "right"]), min_size=4, max_size=4),
)
def test_columns_are_aligned_as_by_tabulate(lines, sides):
    sides = sides[: len(lines[0])]
    assert aligned(lines, sides) == tabulate(
        lines[1:], headers=lines[0], tablefmt="simple", disable_numparse=True, colalign=sides
    )
