"""Results of studies with made-up numbers, and names that are hard to show."""

import numpy as np
from random_scores import comparison, scores_of

from pres_plugin.study.compare import compare
from pres_plugin.study.compare.picture import differences
from pres_plugin.study.explain import Explanation
from pres_plugin.study.robustness import Robustness
from pres_plugin.study.sweep import Sweep

# Names, and what a picture shows instead, if that differs. The first ones are shown everywhere.
ODD = {
    r"$\frac{$.run": None, "_hidden": None, "": "''", "a\nb": r"'a\nb'", "<b>&amp;</b>": None,
    "中文": r"'\u4e2d\u6587'",
    # What TeX would read, and what matplotlib's legends leave out.
    "$x_1$.run": None, "$$": None, "100%": None, "_nolegend_": None, "]]>": None,
    # What nobody sees, and what the font has or lacks.
    "   ": "'   '", "\x1b[31mred": r"'\x1b[31mred'", "\u202egpj.exe": r"'\u202egpj.exe'",
    "\uffff": r"'\uffff'", "Ünïcödé": None, "😀": None, "a\u200d🔬": r"'a\u200d\U0001f52c'",
}  # fmt: skip
LONG = ["x" * 5_000, "z" * 60 + "1" + "z" * 60, "z" * 60 + "2" + "z" * 60, "中" * 3_000]


def explanations(names, n=3, n_max=50):
    ids = [f"d{i}" for i in range(n)]
    at = np.arange(n) * 2 + 1
    return [Explanation(name, "$t$\n", n_max, ids, at * (at <= n_max)) for name in names]


def a_sweep(names, measures=("PRES",), cutoffs=(10, 20, 30)):
    values = np.random.default_rng(0).random((len(names), len(measures), len(cutoffs)))
    return Sweep(tuple(names), tuple(measures), tuple(cutoffs), 5, values)


def a_robustness(measures, fractions=(0.2, 0.8), samples=3):
    taus = np.cos(np.multiply.outer(fractions, np.arange(samples)))
    taus = np.repeat(taus[:, :, None], len(measures), axis=2)
    return Robustness(("a", "b"), tuple(measures), fractions, 5, np.zeros((2, 2)), taus)


def compared(names, measures=("PRES@10", "AP")):
    values = np.random.default_rng(0).random((len(names), 6, len(measures)))
    return comparison(scores_of(values, measures, names))


def two_compared(names):
    """Draw the differences of two runs on topics with the same names."""
    qrels = {topic: {"d": 1} for topic in names}
    scores = {names[0]: 1.0, names[1]: 3.0}
    runs = {name: {t: {"x": 2.0, "d": score} for t in names} for name, score in scores.items()}
    found = compare(qrels, runs, ["PRES@10"])
    return differences(found, found.two)
