"""The sentences of sweeps, explanations and tests of robustness claim what the tables contain."""

import math
import random
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from pres_plugin.study.explain import Explanation
from pres_plugin.study.robustness import Robustness
from pres_plugin.study.sentences.explanation import explanation_sentences
from pres_plugin.study.sweep import Sweep

SEEDS = range(50)


def number(text):
    return float(text.replace(",", ""))


def names_in(text):
    """The names in "a, b and c", and how many "3 others" are."""
    names = re.split(", | and ", text)
    others = [int(name.split()[0]) for name in names if name.endswith(" others")]
    return [name for name in names if not name.endswith(" others")], sum(others)


def read(sentences, forms, *arguments):
    """Check each sentence by the function of the one form that it has."""
    assert 3 <= len(sentences) <= 6
    for sentence in sentences:
        found = [(re.fullmatch(form, sentence), check) for form, check in forms.items()]
        ((match, check),) = [(match, check) for match, check in found if match]
        check(*arguments, **match.groupdict())


def make_sweep(seed):
    rng = random.Random(seed)
    shape = rng.choice([1, 2, 3, 8]), rng.choice([1, 2, 3]), rng.choice([1, 2, 5, 12])
    values = np.random.default_rng(seed).random(shape).round(rng.choice([1, 12]))
    cutoffs = sorted(rng.sample(range(1, 3000), shape[2]))
    runs, measures = tuple("abcdefgh"[: shape[0]]), ("PRES", "AP", "R")[: shape[1]]
    return Sweep(runs, measures, tuple(cutoffs), rng.choice([1, 20]), values * (seed % 10 > 0))


def led(sweep, measure):
    """The runs that lead at each cutoff."""
    values = sweep.values[:, sweep.measures.index(measure)].round(4).T.tolist()
    return [{r for r, v in zip(sweep.runs, row, strict=True) if v == max(row)} for row in values]


def check_leads(sweep, measure, text):
    leaders, n_cutoffs = led(sweep, measure), len(sweep.cutoffs)
    if text.startswith("all "):
        assert leaders == [set(sweep.runs)] * n_cutoffs
        return
    if n_cutoffs == 1:
        names, others = names_in(re.split(" leads | share ", text)[0])
        assert set(names) <= leaders[0]
        assert len(names) + others == len(leaders[0])
        verb = "leads" if len(leaders[0]) == 1 else "share the lead"
        assert f" {verb} at the only value of Nmax, {sweep.cutoffs[0]:,}" in text
        return
    times = {run: sum(run in of for of in leaders) for run in sweep.runs}
    ties = re.search(r" \(ties for the lead at (\d+) values?\)$", text)
    assert int(ties[1] if ties else 0) == sum(len(of) > 1 for of in leaders)
    text = text[: ties.start()] if ties else text
    claims = re.findall(r"(\w) (?:leads )?at (all|\d+)", text)
    words = {"all": n_cutoffs}
    assert [times[run] for run, _ in claims] == [words.get(n) or int(n) for _, n in claims]
    others = re.search(r"(\d+) other runs at (fewer|as many or fewer) values each$", text)
    most = sorted(times.values(), reverse=True)
    assert [times[run] for run, _ in claims] == most[: len(claims)]
    left = [time for time in most[len(claims) :] if time]
    assert len(left) == int(others[1] if others else 0)
    if others:
        assert (left[0] == most[len(claims) - 1]) == (others[2] != "fewer")


def check_first(sweep, measure, leads):
    assert measure == sweep.measures[0]
    check_leads(sweep, measure, leads)


def check_others(sweep, others):
    clauses = others.replace("By ", "by ", 1).split("; ")
    assert [re.match(r"by (\w+), ", clause)[1] for clause in clauses] == list(sweep.measures[1:])
    for clause in clauses:
        check_leads(sweep, *clause.removeprefix("by ").split(", ", 1))


def check_changes(sweep, measure, changes, before=None, after=None):
    leaders = led(sweep, measure)
    changed = [i for i, (a, b) in enumerate(pairwise(leaders)) if a != b]
    words = {"never changes": 0, "changes once": 1, "changes twice": 2}
    assert len(changed) == words.get(
        changes, None if changes in words else int(re.sub(r"\D", "", changes) or -1)
    )
    if changed:
        where = sweep.cutoffs[changed[0]], sweep.cutoffs[changed[0] + 1]
        assert (number(before), number(after)) == where


def check_tau(sweep, measure, first, last, tau):
    values = sweep.values[:, sweep.measures.index(measure)].round(12)
    assert (number(first), number(last)) == (sweep.cutoffs[0], sweep.cutoffs[-1])
    assert float(tau) == pytest.approx(stats.kendalltau(values[:, 0], values[:, -1])[0], abs=0.0051)


def check_never(sweep, runs, do, measure, where):
    assert measure == sweep.measures[0]
    assert do == ("does" if len(names_in(runs)[0]) == 1 else "do")
    assert where == ("this value" if len(sweep.cutoffs) == 1 else "any of these values")
    names, others = names_in(runs)
    never = set(sweep.runs) - set().union(*led(sweep, measure))
    assert set(names) <= never
    assert len(names) + others == len(never)


def check_topics(sweep, topics):
    assert int(topics) == sweep.n_topics


def check_scores(sweep, cutoff, run, scores):
    claims = re.findall(r"([\d.]+) by (\w+)", scores)
    values = sweep.values[0, :, sweep.cutoffs.index(number(cutoff))]
    assert [(f"{v:.4f}", m) for v, m in zip(values, sweep.measures, strict=True)] == claims


SWEEP = {
    r"By (?P<measure>PRES), (?P<leads>(?:all \d+ runs have the same mean at every Nmax|\w leads "
    r"[^;]*|[^;]* share the lead [^;]*))\.": check_first,
    r"(?P<others>By (?:AP|R), (?:all|\w leads|[\w, ]+ share the lead) .*)\.": check_others,
    r"By (?P<measure>PRES), the lead (?P<changes>never changes|changes (?:once|twice|\d+ times))"
    r"(?:,(?: first)? between Nmax = (?P<before>[\d,]+) and (?P<after>[\d,]+))?\.": check_changes,
    r"Kendall's τ between the orders of the runs by (?P<measure>PRES) at Nmax = (?P<first>[\d,]+) "
    r"and (?P<last>[\d,]+) is (?P<tau>-?[\d.]+)\.": check_tau,
    r"(?P<runs>.*) (?P<do>does|do) not lead by (?P<measure>PRES) at (?P<where>this value|any of "
    r"these "
    r"values) of Nmax\.": check_never,
    r"These are means over (?P<topics>\d+) topics?, and a sweep does not test whether differences "
    r"are significant\.": check_topics,
    r"At Nmax = (?P<cutoff>[\d,]+), (?P<run>a) scores (?P<scores>.*)\.": check_scores,
    r"With one value of Nmax, there is no change to describe\.": lambda sweep: None,
    r"With one run, there is no order of runs\.": lambda sweep: None,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sweep(seed):
    sweep = make_sweep(seed)
    read(sweep.sentences(), SWEEP, sweep)


@pytest.mark.parametrize(
    ("measures", "cutoffs", "said"),
    [
        (
            ["PRES", "LastRel"],
            (10, 20),
            [
                "By PRES, a leads at 1 of the 2 values of Nmax and b at 1.",
                "By LastRel, no run leads, because neither high nor low values are better.",
                "By PRES, the lead changes once, between Nmax = 10 and 20.",
            ],
        ),
        (
            ["LastRel", "R", "PRES"],
            (10,),
            [
                "By R, a leads at the only value of Nmax, 10.",
                "By PRES, a leads at the only value of Nmax, 10; by LastRel, no run leads, because "
                "neither high nor low values are better.",
                "b does not lead by R at this value of Nmax.",
            ],
        ),
        (
            ["LastRel", "LastRel(rel=2)"],
            (10, 20),
            [
                "By LastRel and LastRel(rel=2), no run leads, because neither high nor low "
                "values are better.",
                "At Nmax = 10, LastRel ranges from 3 (b) to 8.5 (a).",
                "At Nmax = 20, LastRel is 9 for all runs.",
            ],
        ),
        (
            ["LastRel"],
            (10,),
            [
                "By LastRel, no run leads, because neither high nor low values are better.",
                "At Nmax = 10, LastRel ranges from 3 (b) to 8.5 (a).",
                "These are means over 3 topics, and a sweep does not test whether differences are "
                "significant.",
            ],
        ),
    ],
)
def test_no_run_leads_by_the_rank_of_the_last_relevant_document(measures, cutoffs, said):
    scores = {"PRES": [[0.2, 0.3], [0.1, 0.4]], "R": [[0.5, 0.5], [0.25, 0.5]]}
    values = [scores.get(measure, [[8.5, 9], [3, 9]]) for measure in measures]
    by_run = np.array(values, dtype=np.float64).swapaxes(0, 1)[:, :, : len(cutoffs)]
    sentences = Sweep(("a", "b"), tuple(measures), cutoffs, 3, by_run).sentences()
    assert 3 <= len(sentences) <= 6
    assert sentences[:3] == said


def make_explanation(seed, run="bm25"):
    rng = random.Random(seed)
    n, n_max = rng.choice([1, 2, 5, 9]), rng.choice([1, 4, 10, 2000])
    ranks = rng.sample(range(1, 2 * n_max + n), rng.randint(0, n)) if seed % 8 else range(1, n + 1)
    at = [*ranks, *[0] * (n - len(ranks))]
    return Explanation(run, "q", n_max, [f"d{i}" for i in range(n)], np.array(at, dtype=np.int64))


def by_hand(e):
    """PRES and its parts, exactly, from the definition: missed documents follow Nmax."""
    found = sorted(r for r in e.retrieved_at.tolist() if 0 < r <= e.n_max)
    n, m = e.n, len(found)
    ranks = [*found, *(e.n_max + i for i in range(m + 1, n + 1))]
    pres = 1 - (Fraction(sum(ranks), n) - Fraction(n + 1, 2)) / e.n_max
    return found, n, float(pres), m / n


def check_found(e, number_found, n=None, ranks=None):
    found, n_relevant, _, _ = by_hand(e)
    if number_found == "the only":
        assert len(found) == n_relevant == 1
    else:
        words = {"none": 0, "all": n_relevant}
        assert words.get(
            number_found.split()[0],
            number(number_found.split()[0]) if number_found[0].isdigit() else None,
        ) == len(found)
        assert int(n) == n_relevant
    if found:
        assert list(map(number, ranks.split(" to "))) == sorted({found[0], found[-1]})


def check_pres(e, recall, pres, low=None, high=None, always=None):
    _, n, exact, r = by_hand(e)
    assert [recall, pres, low or always, high or always] == [
        f"{value:.4f}" for value in (r, exact, n * r * r / e.n_max, r)
    ]
    assert always or low != high


def check_costs(
    e,
    missed=None,
    n_missed=None,
    each=None,
    late=None,
    they=None,
    n_late=None,
    n_top=None,
    top=None,
):
    found, n, pres, r = by_hand(e)
    assert (they is None) == (late is None)
    assert they in {None, "it is not" if len(found) == 1 else "they are not all"}
    assert (top is None) == (late is not None or not found)
    for number_found, is_said in ((n_late, late), (n_top, top)):
        assert is_said is None or int(number_found or 1) == len(found)
    assert n - len(found) == (0 if missed is None else int(n_missed or 1))
    assert missed is None or missed == f"{1 - r:.4f}"
    assert each is None or each == f"{1 / n:.4f}"
    assert late is None or late == f"{r - pres:.4f}"
    assert (late is None) == (not found or math.isclose(r, pres, abs_tol=1e-9))


def check_costly(e, documents):
    found, n, _, _ = by_hand(e)
    costs = {rank: (rank - ideal) / (n * e.n_max) for ideal, rank in enumerate(found, 1)}
    claims = re.findall(r"(d\d) at rank ([\d,]+) \(([\d.]+)\)", documents)
    most = sorted((cost for cost in costs.values() if cost), reverse=True)[:3]
    assert [cost for _, _, cost in claims] == [f"{cost:.4f}" for cost in most]
    for doc_id, rank, cost in claims:
        assert e.retrieved_at[e.doc_ids.index(doc_id)] == number(rank)
        assert cost == f"{costs[number(rank)]:.4f}"


def check_larger_cost(e, more=None):
    found, n, pres, r = by_hand(e)
    assert (
        np.sign(round(1 - r, 4) - round(r - pres, 4))
        == {"missed documents": 1, "late ranks": -1, None: 0}[more]
    )
    # Ranking the found documents first gives PRES = R.
    top = sum(range(1, len(found) + 1)) + sum(e.n_max + i for i in range(len(found) + 1, n + 1))
    assert 1 - (top / n - (n + 1) / 2) / e.n_max == pytest.approx(r)


EXPLANATION = {
    r"bm25 finds (?P<number_found>the only) relevant document of topic q within Nmax = [\d,]+, at "
    r"ranks? (?P<ranks>[\d, to]+)\.": check_found,
    r"bm25 finds (?P<number_found>none of the|all|\d+ of the) (?P<n>\d+) relevant documents? of "
    r"topic q within Nmax = [\d,]+(?:, at ranks? (?P<ranks>[\d, to]+))?\.": check_found,
    r"Its recall is (?P<recall>[\d.]+), and its PRES is (?P<pres>[\d.]+); with this recall, PRES "
    r"(?:can range from (?P<low>[\d.]+) to (?P<high>[\d.]+)|is always (?P<always>[\d.]+))"
    r"\.": check_pres,
    r"(?:No relevant document is missed|The (?:missed document|(?P<n_missed>\d+) missed documents) "
    r"costs? (?P<missed>[\d.]+)(?: \((?P<each>[\d.]+) each\))?)(?:, and the (?:found document|"
    r"(?P<n_late>\d+) found documents) costs? (?P<late>[\d.]+) because (?P<they>it is not|they are "
    r"not all) at the top|(?P<top>; the (?:found document is|(?P<n_top>\d+) found documents are) "
    r"at "
    r"the top and costs? nothing))?\.": check_costs,
    r"Of the documents found, (?P<documents>.*) costs? most\.": check_costly,
    r"So (?P<more>missed documents|late ranks) cost more than (?:missed documents|late ranks)\.": (
        check_larger_cost
    ),
    r"So missed documents and late ranks cost equally much\.": check_larger_cost,
    r"All relevant documents are at the top, so none of them costs anything\.": lambda e: None,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_an_explanation(seed):
    explanation = make_explanation(seed)
    read(explanation.sentences(), EXPLANATION, explanation)


def make_explanations(seed):
    rng = np.random.default_rng(seed)
    n, n_max = int(rng.integers(1, 8)), 10
    at = [rng.permutation(20 + n)[:n] * (seed % 10 > 0) for _ in range(rng.integers(2, 9))]
    doc_ids = [f"d{i}" for i in range(n)]
    return [Explanation("abcdefgh"[i], "q", n_max, doc_ids, ranks) for i, ranks in enumerate(at)]


def check_extremes(found, best, high, worst, low):
    for text, value, extreme in ((best, high, max), (worst, low, min)):
        pres = {e.run: f"{by_hand(e)[2] + 0:.4f}" for e in found}
        assert value == extreme(pres.values())
        names, others = names_in(text)
        runs = {run for run, of_run in pres.items() if of_run == value}
        assert set(names) <= runs
        assert len(names) + others == len(runs)


def check_same(found, n_runs, value):
    assert int(n_runs) == len(found)
    assert {f"{by_hand(e)[2]:.4f}" for e in found} == {value}


def check_between(found, who, least, n, most=None):
    counts = [len(by_hand(e)[0]) for e in found]
    assert (int(least), int(most or least), int(n)) == (min(counts), max(counts), found[0].n)
    assert who == ("Each run finds" if most is None else "The runs find")
    assert min(counts) < found[0].n
    assert max(counts) > 0


def check_all_or_none(found, who, n=None):
    counts = {len(by_hand(e)[0]) for e in found}
    assert counts == {0 if who.startswith("No") else found[0].n}
    assert int(n or 1) == found[0].n


def check_only_one(found, n_runs, n_finding):
    assert (int(n_runs), found[0].n) == (len(found), 1)
    assert 0 < int(n_finding) == sum(len(by_hand(e)[0]) for e in found) < len(found)


def check_every(found, every, are="is", none=0, n=None):
    assert n in (None, str(found[0].n))
    times = [sum(0 < e.retrieved_at[i] <= e.n_max for e in found) for i in range(found[0].n)]
    by_every = int(re.sub(r"\D", "", every) or 0)
    assert (by_every, int(none)) == (times.count(len(found)), times.count(0))
    assert are == "is" or by_every > 1


def check_loses(found, run, missed=None, late=None):
    (e,) = [e for e in found if e.run == run]
    _, _, pres, r = by_hand(e)
    assert missed == (None if r == 1 else f"{1 - r:.4f}")
    assert late == (None if math.isclose(r, pres) else f"{r - pres:.4f}")
    assert f"{pres:.4f}" == max(f"{by_hand(e)[2]:.4f}" for e in found)


EXPLANATIONS = {
    r"(?P<best>.*) (?:has|share) the highest PRES@10 on topic q \((?P<high>[\d.]+)\), and "
    r"(?P<worst>.*) the lowest \((?P<low>[\d.]+)\)\.": check_extremes,
    r"All (?P<n_runs>\d+) runs have the same PRES@10 on topic q "
    r"\((?P<value>[\d.]+)\)\.": check_same,
    r"(?P<who>Each run finds|The runs find) (?P<least>\d+)(?: to (?P<most>\d+))? of the (?P<n>\d+) "
    r"relevant documents within Nmax = 10\.": check_between,
    r"(?P<who>No run finds any of|Every run finds all|(?:No|Every) run finds)(?: the)?(?: "
    r"(?P<n>\d+) relevant documents| only relevant document) within Nmax = 10\.": check_all_or_none,
    r"Of the (?P<n_runs>\d+) runs, (?P<n_finding>1 finds|\d+ find) the only relevant document "
    r"within "
    r"Nmax = 10\.": lambda found, n_runs, n_finding: check_only_one(
        found, n_runs, n_finding.split()[0]
    ),
    r"(?P<every>None|\d+) of the (?P<n>\d+) (?P<are>is|are) found by every run, and "
    r"(?P<none>\d+) by no run\.": check_every,
    r"Every relevant document is found by at least one run; (?P<every>none|\d+) (?P<are>is|are) "
    r"found by every run\.": check_every,
    r"(?P<run>\w) loses (?:nothing|(?:(?P<missed>[\d.]+) to missed documents)?(?: and )?"
    r"(?:(?P<late>[\d.]+) to found documents that are not at the top)?)\.": check_loses,
    r"This is one topic, so it does not show which run is better on others\.": lambda found: None,
}


def test_a_loss_that_rounds_to_zero_is_not_nothing():
    at = np.arange(1, 101)
    found = [
        Explanation("a", "q", 1000, [f"d{i}" for i in range(100)], ranks)
        for ranks in (np.append(at[:-1], 101), at + 50)
    ]
    assert "a loses less than 0.0001." in explanation_sentences(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_explanations_of_several_runs(seed):
    found = make_explanations(seed)
    read(explanation_sentences(found), EXPLANATIONS, found)


def make_robustness(seed):
    rng = random.Random(seed)
    measures = ("PRES@100", "AP@100", "R@100", "nDCG@10", "Rnorm", "P@5")[
        : rng.choice([1, 2, 3, 6])
    ]
    fractions, n_samples = rng.choice([(0.5,), (0.2, 0.4, 0.8)]), rng.choice([1, 3])
    values = rng.choice([[1.0], [1.0, 1.0, 0.6], [1, 0.8, 0.6, 0.2, -0.2], [1, 0.6, math.nan]])
    if seed % 10 == 0:
        values = [math.nan]
    taus = np.array(
        [[[rng.choice(values) for _ in measures] for _ in range(n_samples)] for _ in fractions]
    )
    runs = tuple("abcde"[: rng.choice([2, 5])]) if seed % 20 else ("a",)
    return Robustness(runs, measures, fractions, 12, np.zeros((len(runs), len(measures))), taus)


def taus_of(found, fraction=None):
    """The defined values of τ by each of the first five measures."""
    rows = found.taus.to_dict("records")
    taus = {
        measure: [
            row["kendall_tau"]
            for row in rows
            if row["measure"] == measure
            and not math.isnan(row["kendall_tau"])
            and fraction in {None, row["fraction"]}
        ]
        for measure in found.measures[:5]
    }
    return {measure: of for measure, of in taus.items() if of}


def check_keeps(found, first, text, highest, others=None):
    assert (first is not None) == (len(found.measures) > 5)
    lowest = {measure: f"{min(of):.4f}" for measure, of in taus_of(found).items()}
    claims = dict.fromkeys(names_in(text)[0], highest)
    claims |= {
        measure: tau for tau, measure in re.findall(r"(-?[\d.]+) for ([^ ,]+)", others or "")
    }
    assert claims == lowest
    assert float(highest) == max(map(float, lowest.values()))


def check_first_changes(found, changes, never=None):
    rows = found.taus.to_dict("records")
    expected = {
        measure: max(
            (r["fraction"] for r in rows if r["measure"] == measure and r["kendall_tau"] < 1),
            default=None,
        )
        for measure in taus_of(found)
    }
    claims = {}
    for percent, by in re.findall(r"at ([\d.]+) % by (.*?)(?=,? and at |, at |$)", changes):
        fraction = float(percent) / 100
        assert fraction not in claims.values()  # measures with the same fraction are together
        words = {"both measures": 2, "all measures": len(found.measures)}
        measures = list(taus_of(found)) if by in words else names_in(by)[0]
        assert words.get(by, len(measures)) == len(measures)
        assert by != "all measures" or len(measures) > 2
        claims |= dict.fromkeys(measures, fraction)
    claims |= dict.fromkeys(names_in(never)[0] if never else [])
    assert claims == pytest.approx(expected)


def check_never_changes(found, never):
    check_first_changes(found, "", never)


def check_means(found, fraction, means):
    assert float(fraction) / 100 == pytest.approx(found.fractions[0])
    expected = {m: np.mean(of) for m, of in taus_of(found, found.fractions[0]).items()}
    claims = {m: float(tau) for tau, m in re.findall(r"(-?[\d.]+) by ([^ ,]+)", means)}
    assert claims == pytest.approx(expected, abs=0.00006)


def check_spread(found, apart, which, varies):
    taus = taus_of(found, found.fractions[0])
    means = list(map(np.mean, taus.values()))
    spread = max(max(of) - min(of) for of in taus.values())
    assert (float(apart), float(varies)) == pytest.approx(
        (max(means) - min(means), spread), abs=0.00006
    )
    words = {1: "more than", 0: "as much as", -1: "less than"}
    assert which == words[int(np.sign(round(max(means) - min(means) - spread, 4)))]


def check_undefined(found, numbers):
    taus = found.taus.pivot(index=["fraction", "sample"], columns="measure", values="kendall_tau")
    missing = taus[list(found.measures[:5])].isna().sum()
    texts = re.findall(r"(all|the only|\d+)(?: of the)?(?: (\d+))? samples? by ([^ ,]+)", numbers)
    assert {int(n_samples or 1) for _, n_samples, _ in texts} == {len(taus)}
    words = {"all": len(taus), "the only": 1}
    claims = {measure: words.get(n) or int(n) for n, _, measure in texts}
    assert claims == missing[missing > 0].to_dict()


def check_step(found, runs, tau, pairs):
    n_pairs = len(found.runs) * (len(found.runs) - 1) // 2
    assert (int(runs), int(pairs)) == (len(found.runs), n_pairs)
    opposite = [(i, -i) for i in range(3)]
    assert stats.kendalltau(*zip(*opposite, strict=True))[0] == pytest.approx(-1)
    order = list(range(len(found.runs)))
    swapped = [1, 0, *order[2:]]  # one pair changes places
    assert 1 - float(tau) == pytest.approx(stats.kendalltau(order, swapped)[0], abs=0.0001)


ROBUSTNESS = {
    r"(?:(?P<first>Among the first 5 measures, )t|T)he order of the runs changes least by "
    r"(?P<text>[^:]*): (?:its|their) lowest τ over all samples is (?P<highest>-?[\d.]+), compared "
    r"with (?P<others>.*)\.": check_keeps,
    r"(?:(?P<first>Among the first 5 measures, )b|B)y (?P<text>.*), the lowest τ over all "
    r"samples is "
    r"(?:the same, )?(?P<highest>-?[\d.]+)\.": check_keeps,
    r"As fewer relevant documents are kept, the order first changes (?P<changes>[^;]*?)(?:; it "
    r"never changes by (?P<never>.*))?\.": check_first_changes,
    r"The order never changes by (?P<never>.*)\.": check_never_changes,
    r"With (?P<fraction>[\d.]+) % kept, the mean τ is (?P<means>.*)\.": check_means,
    r"With one sample per fraction, it is unknown how much τ varies between samples\.": lambda f: (
        None
    ),
    r"These means differ by up to (?P<apart>[\d.]+), (?P<which>more than|as much as|less than) τ "
    r"varies between samples by the same measure \((?P<varies>[\d.]+)\)\.": check_spread,
    r"τ is undefined for (?P<numbers>.*), because all runs have the same score with the sample or "
    r"with all judgements\.": check_undefined,
    r"With 2 runs, τ is 1 if they keep their order, and -1 if they change places\.": lambda f: None,
    r"With (?P<runs>\d+) runs, there are (?P<pairs>\d+) pairs; without ties, τ falls by "
    r"(?P<tau>[\d.]+) for each pair whose order is reversed\.": check_step,
    r"Kendall's τ is undefined, because (?:there is only one run|all runs have the same score "
    r"with the sample or with all judgements)\.": lambda f: None,
    r"So nothing is known about how well the measures keep the order of the runs\.": lambda f: None,
    r"The means are over (?P<topics>12) topics\.": lambda f, topics: None,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_robustness(seed):
    found = make_robustness(seed)
    read(found.sentences(), ROBUSTNESS, found)
