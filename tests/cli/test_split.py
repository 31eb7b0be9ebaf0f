"""Text is split into measure strings at the blanks between them."""

import pytest

from pres_plugin.cli.measures import split_measures


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("PRES@100 R@10", ["PRES@100", "R@10"]),
        ("PRES @ 100  AP(rel=2, N=9)@10", ["PRES @ 100", "AP(rel=2, N=9)@10"]),
        ("AP (rel=2) R@5", ["AP (rel=2)", "R@5"]),
        ("a(b='c d') e", ["a(b='c d')", "e"]),
        ("  ", []),
    ],
)
def test_only_blanks_between_measures_split_them(text, measures):
    assert split_measures([text]) == measures
