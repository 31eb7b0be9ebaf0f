"""Sentences claim what the tables of a study contain, and nothing else.

A reader that shares no code with the sentences takes each of them apart, and looks up every
claim in the tables. It fails on sentences that it does not understand.
"""

import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from random_comparisons import random_comparison

from pres_plugin.study.columns import Columns
from pres_plugin.study.compare import compare_scores
from pres_plugin.study.scoring import Scores
from pres_plugin.study.sentences.words import name
from pres_plugin.study.statistics.method import Method
from pres_plugin.study.statistics.resampling import Resampling
from pres_plugin.study.statistics.tests import TESTS, smallest_p_value

HOW = {
    "wilcoxon": "Wilcoxon's signed-rank test",
    "t": "Student's paired t test",
    "randomization": "Fisher's randomization test",
    "none": "",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "bh": "Benjamini and Hochberg",
}
V = r"(-?[\d,]+(?:\.\d+)?)"
N = r"([\d,]+)"


@pytest.fixture(scope="module")
def studies():
    return [random_comparison(seed) for seed in range(50)]


def number(text):
    return float(text.replace(",", ""))


def shown(measure, value):
    """The value as a reader sees it."""
    return f"{value + 0:.4f}".replace("-0.0000", "0.0000")


#: What a sentence of each kind looks like.
FORMS = {
    "best": rf"(?:(?:(?:[Aa]ll {N} runs have the same|<RUNS> (?:has|share) the highest) mean "
    rf"<ITEMS>|the tables contain \d+ more measures?)(?:; |\.$))+",
    "counts": rf"(?:Of the|None of the|All) {N} (<PAIRS>).*? significantly by .* \((.*); {N} "
    r"topics?\)\.",
    "only_pair": rf"(?:The two runs (?:do not )?differ significantly|<run> (?:differs|does not "
    rf"differ) significantly from the baseline <run>) by .* \((.*); {N} topics?\)\.",
    "named": r"(?:This difference is|These differences are) (significant): .*\.|"
    r"The (largest) significant difference by .*\.",
    "disagreement": r"<measure> and <measure> have (the same best runs?|different best runs) "
    r"and (order (?:no|all [\d,]+|[\d,]+ of the [\d,]+) <PAIRS> differently|(?:do not )?order the "
    r"two runs differently); (?:(for no pair do they|they do not) find significant differences in "
    r"opposite directions|(?:for (all [\d,]+|[\d,]+ of the [\d,]+) <PAIRS>, )?they find "
    r"significant differences in opposite directions,( such as)? <run> over <run> by <measure> and "
    r"the reverse by <measure>)\.",
    "undecided": rf"The results do not show whether <run> or <run> is better by "
    rf"<measure>: the difference of {V} is not significant \(p ([=<]) ([\d.]+)\)"
    rf"(?:, (and|although) its \d+ % interval {V} to {V} (contains 0|does not contain 0))?\.",
    "impossible": rf"With {N} (topics?|resamples), no p-value of this test can be below "
    rf"([\d.]+)(?:, and the correction multiplies it by {N})?, so no difference can be "
    r"significant\.",
    "zeros": r"The (\d+) % confidence interval of the difference contains 0 for (no|all [\d,]+|"
    r"[\d,]+ of the [\d,]+) (<PAIRS>) by .*\.",
    "one_interval": r"The (\d+) % confidence interval of the difference (contains|does not "
    r"contain) 0 by "
    r"(<MEASURES>?)(?:, but not by (<MEASURES>))?\.",
    "largest": rf"The largest difference by <measure> that is not significant with {N} "
    rf"topics? is {V} \(<run> over <run>, p ([=<]) ([\d.]+)\); this does not show that the "
    r"two runs are equal\.",
    "only_run": r"The only run, <run>, scores .*\.",
    "topics": rf"By <measure>, the scores of its {N} topics range from {V} \(topic (\w+)\) to "
    rf"{V} \(topic (\w+)\)\.",
    "topic": r"These are the scores of one topic, (\w+)\.",
    "no_test": r"With one run, there is no difference to test\.",
}


class Reader:
    """Reads the sentences about a comparison, and looks up what they claim."""

    def __init__(self, comparison):
        self.comparison = comparison
        self.runs, self.topics = comparison.scores.runs, comparison.scores.topics
        self.measures = list(comparison.scores.measures)
        self.told = self.measures[:5]
        self.means = comparison.scores.table().to_dict()  # by measure and run
        self.rows = comparison.pairs.to_dict("records")
        self.n_pairs = len(self.rows) // len(self.measures)
        self.names = {}
        for run in self.runs:
            cut = run if len(run) <= 40 else run[:40] + "…"
            self.names |= {run: run, repr(cut): run}
        self.run = f"({'|'.join(sorted(map(re.escape, self.names), key=len, reverse=True))})"
        self.measure = f"({'|'.join(sorted(map(re.escape, self.measures), key=len, reverse=True))})"
        level = comparison.how.confidence
        self.level = "never" if level is None else f"{level * 100:g} % interval"
        self.between = rf"{self.level} {V} to {V}"
        self.seen = []

    def pattern(self, text):
        """Fill in the names of runs and measures, without groups where they are in capitals."""
        run, measure = self.run.replace("(", "(?:", 1), self.measure.replace("(", "(?:", 1)
        runs = rf"{run}(?:, {run})*(?: and (?:{run}|[\d,]+ others))?"
        listed = rf"{measure}(?:, {measure})*(?: (?:and|or) {measure})?"
        item = rf"{measure} \({V}(?:, {self.between})?\)".replace(V, V.replace("(", "(?:", 1))
        of_pairs = f"(?:of runs|with the baselines? (?:{runs}))"
        for key, value in {
            "<run>": self.run,
            "<measure>": self.measure,
            "<RUNS>": runs,
            "<MEASURES>": listed,
            "<ITEMS>": f"{item}(?:, {item})*(?: and {item})?",
            "<PAIRS>": rf"pairs? {of_pairs}",
        }.items():
            text = text.replace(key, value)
        return text

    def find(self, pattern, text):
        return re.findall(self.pattern(pattern), text)

    def row(self, measure, *runs):
        (row,) = [
            row
            for row in self.rows
            if row["measure"] == measure and {row["first"], row["second"]} == set(runs)
        ]
        return row

    def significant(self, measure):
        return [
            row
            for row in self.rows
            if row["measure"] == measure and row["verdict"] != "no difference"
        ]

    def undecided(self):
        return [row for row in self.rows if row["verdict"] == "no difference"]

    def best(self, measure):
        texts = {run: shown(measure, mean) for run, mean in self.means[measure].items()}
        return {
            run
            for run in self.runs
            if texts[run] == shown(measure, max(self.means[measure].values()))
        }

    def read(self, sentences):
        assert 3 <= len(sentences) <= 6
        for sentence in sentences:
            assert sentence.endswith(".")
            assert "  " not in sentence
            understood = [form for form in FORMS if self.matches(form, sentence)]
            assert len(understood) == 1, sentence
            self.seen += understood
        assert len(set(self.seen)) == len(self.seen)
        assert set(self.seen) == self.expected()

    def matches(self, form, sentence):
        found = re.fullmatch(self.pattern(FORMS[form]), sentence)
        if found is None:
            return False
        getattr(self, f"check_{form}")(sentence, found)
        return True

    def expected(self):
        """The sentences that the tables demand."""
        if len(self.runs) == 1:
            return {"only_run", "topics" if len(self.topics) > 1 else "topic", "no_test"}
        forms = {"best", "only_pair" if self.n_pairs == 1 else "counts"}
        told = [row for row in self.rows if row["measure"] in self.told]
        if any(row["verdict"] != "no difference" for row in told):
            forms.add("named")
        if len(self.measures) > 1:
            forms.add("disagreement")
        if any(row["verdict"] == "no difference" for row in told):
            forms.add("undecided")
            if "impossible" in self.seen:
                forms.add("impossible")
            has_intervals = self.comparison.intervals is not None
            if has_intervals and any(not math.isnan(row["low"]) for row in told):
                forms.add("one_interval" if self.n_pairs == 1 else "zeros")
            elif not has_intervals and "impossible" not in self.seen and self.n_pairs > 1:
                forms.add("largest")
        return forms

    def check_interval(self, run, measure, low, high):
        table = self.comparison.intervals
        (row,) = table[(table["run"] == run) & (table["measure"] == measure)].itertuples()
        assert (low, high) == (shown(measure, row.low), shown(measure, row.high))

    def check_best(self, sentence, found):
        told = set()
        item = rf"<measure> \({V}(?:, {self.between})?\)"
        for runs, items in self.find(
            r"([Aa]ll [\d,]+ runs|<RUNS>) (?:have the same|has the highest|share the highest) mean "
            r"(<ITEMS>)",
            sentence,
        ):
            for measure, value, *interval in self.find(item, items):
                best = self.best(measure)
                self.check_runs(runs, best)
                assert value == shown(measure, max(self.means[measure].values()))
                if interval and interval[0]:
                    self.check_interval(*best, measure, *interval)
                elif len(best) == 1 and self.comparison.intervals is not None:
                    assert len(self.topics) == 1
                told.add(measure)
        assert told == set(self.told)
        more = re.findall(r"tables contain (\d+) more", sentence)
        assert more == [str(len(self.measures) - 5)] * (len(self.measures) > 5)

    def check_runs(self, text, runs):
        """Check a list of runs, or a text such as "all 3 runs"."""
        if re.match("[Aa]ll ", text):
            assert number(text.split()[1]) == len(runs) == len(self.runs)
            return
        named = {self.names[each] for each in self.find("<run>", text)}
        others = re.findall(rf"{N} others", text)
        assert named <= runs
        assert len(named) + sum(map(number, others)) == len(runs)

    def check_how(self, how, n_topics):
        method = self.comparison.how
        assert how.startswith(HOW[method.test])
        assert f"α = {method.alpha:g}" in how
        assert HOW[method.correction] in how
        assert ("correction" in how) == (method.correction != "none")
        assert number(n_topics) == len(self.topics)

    def check_pairs(self, pairs):
        baselines = {self.names[each] for each in self.find("<run>", pairs)}
        assert baselines == set(self.comparison.baselines)

    def check_counts(self, sentence, found):
        n_pairs, pairs, how, n_topics = found.groups()
        assert number(n_pairs) == self.n_pairs
        self.check_pairs(pairs)
        self.check_how(how, n_topics)
        counts = {measure: len(self.significant(measure)) for measure in self.told}
        if not sentence.startswith("Of the"):
            (measures,) = self.find(r"significantly by (<MEASURES>) \(", sentence)
            assert set(self.find("<measure>", measures)) == set(self.told)
            all_of_them = self.n_pairs if sentence.startswith("All") else 0
            assert set(counts.values()) == {all_of_them}
            return
        claimed = self.find(
            r"(none|all|[\d,]+) (?:(?:differs|differ) significantly )?by <measure>", sentence
        )
        words = {"none": 0, "all": self.n_pairs}
        assert {m: words[n] if n in words else number(n) for n, m in claimed} == counts
        singular = "differs significantly" in sentence
        assert singular == (counts[self.told[0]] in {0, 1})

    def check_only_pair(self, sentence, found):
        run, baseline, how, n_topics = found.groups()
        self.check_how(how, n_topics)
        assert self.n_pairs == 1
        assert (run is None) == (not self.comparison.baselines)
        if run is not None:
            assert {self.names[run], self.names[baseline]} == set(self.runs)
            assert self.names[baseline] in self.comparison.baselines
        self.check_whether(sentence, "differ", {m: bool(self.significant(m)) for m in self.told})

    def check_whether(self, sentence, verb, expected):
        (yes,) = self.find(rf"(?<!not ){verb}s?[^:;()]*? by (<MEASURES>)", sentence) or [""]
        (no,) = self.find(rf"(?:not by|not {verb}[^:;()]*? by) (<MEASURES>)", sentence) or [""]
        claimed = dict.fromkeys(self.find("<measure>", yes), True)
        claimed |= dict.fromkeys(self.find("<measure>", no), False)
        assert claimed == expected

    def check_pair(self, measure, first, second, difference, sign, p):
        first, second = self.names[first], self.names[second]
        row = self.row(measure, first, second)
        size = row["difference"] if row["first"] == first else -row["difference"]
        assert difference == shown(measure, size)
        if sign == "<":
            assert row["p_value"] < float(p)
        else:
            assert p == f"{row['p_value']:.4f}"
        return row

    def check_named(self, sentence, found):
        pair = r"<run> over <run> \(difference " + V + r", p ([=<]) ([\d.]+)\)"
        largest = rf"is {V} \(<run> over <run>, p ([=<]) ([\d.]+)\)"
        named = {}
        for clause in re.split(r"(?:: |; |The largest significant difference )(?=by )", sentence)[
            1:
        ]:
            (measure,) = self.find("^by <measure>", clause)
            claimed = self.find(pair if found[1] else largest, clause)
            if not found[1]:
                claimed = [(first, second, value, *p) for value, first, second, *p in claimed]
            for first, *claims in claimed:
                row = self.check_pair(measure, first, *claims)
                leader = row["first"] if row["verdict"].startswith("first") else row["second"]
                assert row["verdict"] != "no difference"
                assert leader == self.names[first]
                named.setdefault(measure, []).append(row)
        significant = {m: rows for m in self.told if (rows := self.significant(m))}
        total = sum(map(len, significant.values()))
        n_named = sum(map(len, named.values()))
        if found[1]:
            assert {m: sorted(map(str, rows)) for m, rows in named.items()} == {
                m: sorted(map(str, rows)) for m, rows in significant.items()
            }
            assert sentence.startswith("This") == (n_named == 1)
        else:
            assert named.keys() == significant.keys()
            assert total > n_named
            for measure, (row,) in named.items():
                sizes = [
                    r["difference"] * (1 if r["verdict"].startswith("first") else -1)
                    for r in significant[measure]
                ]
                assert abs(row["difference"]) == pytest.approx(max(sizes), abs=1e-9)

    def count(self, text):
        if text == "no":
            return 0
        numbers = list(map(number, re.findall(N, text)))
        assert numbers[-1] == self.n_pairs
        return numbers[0]

    def check_disagreement(self, sentence, found):
        a, b, best, order, none, opposite, such_as, higher, lower, by_a, by_b = found.groups()
        assert (best != "different best runs") == (self.best(a) == self.best(b))
        differently = opposites = 0
        for row in self.rows:
            if row["measure"] == a:
                other = self.row(b, row["first"], row["second"])
                differently += row["difference"] * other["difference"] < 0
                verdicts = {row["verdict"], other["verdict"]}
                opposites += verdicts == {"first better", "second better"}
        if self.n_pairs == 1:
            assert (
                order == ("order" if differently else "do not order") + " the two runs differently"
            )
            assert none == (None if opposites else "they do not")
            assert opposite is None
        else:
            assert (
                self.count(re.match(r"order (no|all [\d,]+|.* of the [\d,]+)", order)[1])
                == differently
            )
            assert none == (None if opposites else "for no pair do they")
            assert opposite is None or self.count(opposite) == opposites
        assert bool(such_as) == (opposites > 1)
        if opposites:
            assert (opposite is None) == (self.n_pairs == 1)
            assert (by_a, by_b) == (a, b)
            runs = self.names[higher], self.names[lower]
            for measure, leader in zip((a, b), runs, strict=True):
                row = self.row(measure, *runs)
                assert (
                    row["verdict"] == ("first" if row["first"] == leader else "second") + " better"
                )
        if {"PRES@100", "AP@100"} <= set(self.measures) and "PRES(rel=2)@100" not in self.measures:
            assert (a, b) == ("PRES@100", "AP@100")

    def check_undecided(self, sentence, found):
        first, second, measure, difference, sign, p, _, low, high, zero = found.groups()
        row = self.check_pair(measure, first, second, difference, sign, p)
        assert row["verdict"] == "no difference"
        if low is None:
            assert self.comparison.intervals is None or math.isnan(row["low"])
            return
        bounds = (row["low"], row["high"])
        if row["first"] != self.names[first]:
            bounds = (-row["high"], -row["low"])
        assert (low, high) == tuple(shown(measure, bound) for bound in bounds)
        assert (zero == "contains 0") == (bounds[0] <= 0 <= bounds[1])

    def check_impossible(self, sentence, found):
        few, _, smallest, factor = found.groups()
        how = self.comparison.how
        assert number(few) in {len(self.topics), how.resamples}
        assert all(not self.significant(measure) for measure in self.measures)
        factor = 1 if factor is None else number(factor)
        assert factor in {1, self.n_pairs}
        assert min(1, float(smallest) * factor) >= how.alpha * 0.999

    def check_zeros(self, sentence, found):
        level, of_first, pairs = found.groups()
        assert float(level) == pytest.approx(100 * self.comparison.how.confidence)
        self.check_pairs(pairs)
        counts = {
            measure: sum(
                row["low"] <= 0 <= row["high"] for row in self.rows if row["measure"] == measure
            )
            for measure in self.told
        }
        claimed = self.find(rf"for (none|all|{N}) by <measure>".replace(N, N[1:-1]), sentence)
        words = {"none": 0, "all": self.n_pairs}
        claimed = {m: words[n] if n in words else number(n) for n, m in claimed}
        first = self.told[0]
        assert self.find(r"<PAIRS> by <measure>", sentence)[0] == first
        assert {first: self.count(of_first), **claimed} == counts

    def check_one_interval(self, sentence, found):
        contains = {
            row["measure"]: row["low"] <= 0 <= row["high"]
            for row in self.rows
            if row["measure"] in self.told
        }
        assert float(found[1]) == pytest.approx(100 * self.comparison.how.confidence)
        self.check_whether(sentence, "contain", contains)

    def check_largest(self, sentence, found):
        measure, n_topics, difference, first, second, sign, p = found.groups()
        assert number(n_topics) == len(self.topics)
        row = self.check_pair(measure, first, second, difference, sign, p)
        undecided = [r for r in self.undecided() if r["measure"] == measure]
        assert row in undecided
        assert abs(row["difference"]) >= max(abs(r["difference"]) for r in undecided) - 1e-9

    def check_only_run(self, sentence, found):
        (run,) = self.runs
        assert self.names[found[1]] == run
        claims = self.find(rf"{V} by <measure>(?: \({self.between}\))?", sentence)
        assert [measure for _, measure, *_ in claims] == self.told
        for value, measure, *interval in claims:
            assert value == shown(measure, self.means[measure][run])
            if interval and interval[0]:
                self.check_interval(run, measure, *interval)

    def check_topics(self, sentence, found):
        measure, n_topics, low, lowest, high, highest = found.groups()
        assert number(n_topics) == len(self.topics)
        by_topic = self.comparison.scores.by_topic()[measure].droplevel("run").to_dict()
        assert (low, high) == tuple(shown(measure, f(by_topic.values())) for f in (min, max))
        assert by_topic[lowest] == min(by_topic.values())
        assert by_topic[highest] == max(by_topic.values())

    def check_topic(self, sentence, found):
        assert (found[1],) == self.topics

    def check_no_test(self, sentence, found):
        assert len(self.runs) == 1


@pytest.mark.parametrize("seed", range(50))
def test_a_reader_finds_every_claim_in_the_tables(studies, seed):
    Reader(studies[seed]).read(studies[seed].sentences())


def test_the_random_studies_need_every_sentence(studies):
    forms = set()
    for study in studies:
        reader = Reader(study)
        reader.read(study.sentences())
        forms |= set(reader.seen)
    assert forms == set(FORMS)


def changed_values(study):
    """A study in which another run is best by the first measure."""
    scores = study.scores
    worst = scores.means[:, 0].argmin()
    means = scores.means.copy()
    means[worst, 0] = means[:, 0].max() + 1
    return replace(study, scores=replace(scores, means=means))


def with_column(study, table, column, values):
    changed = Columns(study.columns[table].values | {column: values.to_numpy()})
    return replace(study, columns=study.columns | {table: changed})


def changed_column(column, change):
    def changed(study):
        return with_column(study, "pairs", column, study.pairs[column].map(change))

    return changed


def changed_intervals(study):
    return with_column(study, "intervals", "low", study.intervals["low"] - 1)


OTHER = {
    "first better": "no difference",
    "second better": "first better",
    "no difference": "second better",
}


@pytest.mark.parametrize(
    ("change", "concerns"),
    [
        (changed_values, lambda study: len(study.scores.runs) > 1),
        (changed_column("verdict", OTHER.get), lambda study: len(study.pairs)),
        (changed_column("difference", lambda value: value + 1), lambda study: len(study.pairs)),
        (
            changed_column("p_value", lambda p: p / 2 if p > 0.0004 else 1.0),
            lambda study: len(study.pairs),
        ),
        (
            changed_intervals,
            lambda study: " % interval " in study.sentences()[0],
        ),
    ],
    ids=["scores", "verdicts", "differences", "p-values", "intervals"],
)
def test_the_reader_notices_other_tables(studies, change, concerns):
    concerned = list(filter(concerns, studies[:25]))
    assert len(concerned) >= 5
    for study in concerned:
        sentences = study.sentences()
        with pytest.raises((AssertionError, KeyError)):
            Reader(change(study)).read(sentences)


@pytest.mark.parametrize("n_topics", range(1, 8))
@pytest.mark.parametrize("test", ["wilcoxon", "randomization", "t"])
def test_the_smallest_p_value_is_that_of_all_differences(test, n_topics):
    signs = np.array(list(product([-1, 0, 1], repeat=n_topics)))
    # Ranks can be all different, all equal, or partly equal.
    sizes = [np.arange(1, n_topics + 1), np.ones(n_topics), np.arange(n_topics) // 2 + 1]
    resampling = Resampling(999, 0)
    smallest = min(TESTS[test](signs * size, resampling)[0].min() for size in sizes)
    bound = smallest_p_value(Method(test, resamples=999), n_topics)
    assert smallest >= bound * (1 - 1e-9)
    if test != "t" or n_topics == 1:
        assert smallest == pytest.approx(bound, rel=1e-9)


def test_random_signs_limit_the_p_value():
    p_values, _ = TESTS["randomization"](np.ones((1, 30)), Resampling(999, 0))
    assert p_values[0] == smallest_p_value(Method("randomization", resamples=999), 30)


def test_too_many_pairs_for_the_topics_are_named():
    values = np.arange(8.0)[:, None, None] * np.ones((8, 7, 1)) / 10
    runs = tuple(f"r{i}" for i in range(8))
    scores = Scores(runs, tuple("abcdefg"), ("PRES@10",), values, values.mean(axis=1))
    (*_, last) = compare_scores(scores, test="randomization", correction="holm").sentences()
    assert last == (
        "With 7 topics, no p-value of this test can be below 0.0156, and the correction "
        "multiplies it by 28, so no difference can be significant."
    )


@pytest.mark.parametrize(
    ("run", "written"),
    [
        ("bm25", "bm25"),
        ("run.1", "run.1"),
        ("run.", "'run.'"),
        ("a, b", "'a, b'"),
        ("a b", "'a b'"),
        ("", "''"),
        ("a\nb\x1b", r"'a\nb\x1b'"),
        ("a\u202eb", r"'a\u202eb'"),
        ("x" * 41, f"'{'x' * 40}…'"),
    ],
    ids=ascii,
)
def test_names_that_would_break_a_sentence_are_quoted(run, written):
    assert name(run) == written
