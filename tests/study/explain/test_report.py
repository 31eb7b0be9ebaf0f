"""The sentences, the report and the picture of explanations."""

import re

import numpy as np
import pytest

from pres_plugin.study.explain import Explanation, Explanations
from pres_plugin.study.explain.picture import areas
from pres_plugin.study.explain.report import report
from pres_plugin.study.output import style

LATE, NEVER, TOP = (
    Explanation(run, "q", 100, list("abcd"), np.array(at))
    for run, at in {"late": [50, 0, 60, 1], "never": [0, 101, 0, 0], "top": [2, 1, 4, 3]}.items()
)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            LATE,
            [
                "Within Nmax = 100, late finds 3 of 4 relevant documents of topic q.",
                "Its recall is 0.7500, and its PRES@100 is 0.4875; with this recall, it lies "
                "between 0.0225 and 0.7500.",
                "late loses 0.2500 to missed documents and 0.2625 to documents that were found, "
                "but not at the top.",
            ],
        ),
        (
            Explanations([LATE, TOP, NEVER, TOP]),
            [
                "The highest PRES@100 is 1.0000 (top and top), the lowest 0.0000 (never).",
                "top loses 0.0000 to missed documents and 0.0000 to documents that were found, but "
                "not at the top.",
                "One topic does not show which run is better overall.",
            ],
        ),
    ],
)
def test_sentences_say_what_is_lost(found, said):
    assert found.sentences() == said


def test_each_run_has_a_table_and_the_first_ones_a_picture():
    summary, picture, *documents = report(Explanations([LATE] * 30)).parts
    assert len(summary.table) == 30
    assert picture.caption.endswith(" Only the first 24 runs of 30 are drawn.")
    assert [each.name for each in documents if each.picture] == [
        f"documents-{i}" for i in range(1, 25)
    ]
    section, *_ = report(LATE).parts
    assert section.picture.title == "Best case, this ranking, worst case: late"


def shaded(polygons):
    """The area of what is filled, by the shoelace formula."""
    corners = [path.vertices.T for path in polygons.get_paths()]
    return sum(abs(x[:-1] @ y[1:] - x[1:] @ y[:-1]) / 2 for x, y in corners)


@pytest.mark.ci
def test_the_picture_shades_the_areas_and_marks_the_documents():
    found = [LATE, NEVER, TOP]
    figure = areas(found)
    for axes, e in zip(figure.axes, found, strict=False):
        assert [shaded(c) for c in axes.collections] == pytest.approx(e.curves()[-2:])
        dots = np.concatenate([line.get_xydata() for line in axes.lines[3:5]])
        assert dots.tolist() == [list(p) for p in zip(e.counted, range(1, 5), strict=True)]
        assert axes.get_title(loc="left") == f"{e.run}\nPRES@100 =\xa0{e.pres:.4g}"
    titles = re.findall("<title>(.*?)</title>", style.inline_svg(figure, ""))
    assert len(titles) == 12
    assert titles[0] == "d: at rank 1, as early as possible, costs nothing"
