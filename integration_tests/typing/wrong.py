"""What is wrong with the types: each line that says so, and no other, is to be reported."""

from pres_plugin import PRES, Rnorm, pres, relevant_ranks, status
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain
from pres_plugin.trec import read_run

pres([1, 2], 4, "100")  # wrong: Nmax is a number
pres(["d1", "d2"], 4, 100)  # wrong: ranks are numbers
pres([1, 2], 4)  # wrong: Nmax is missing
relevant_ranks(["d1"], relevant=1)  # wrong: one document is not a collection
PRES @ "100"  # wrong: a cutoff is a number
PRES(rel="2")  # wrong: so is a relevance
PRES(N=1000)  # wrong: PRES takes no size of the collection
PRES(depth=10)  # wrong: there is no such parameter
Rnorm(N="all")  # wrong: the size is a number
read_run("a.run", duplicates="both")  # wrong: one of error, first, last
print(status()[0].installed)  # wrong: version says if it is
compare({}, {}, ["AP"], test="sign")  # wrong: there are wilcoxon, t and randomization
compare({}, {}, ["AP"], confidence="95%")  # wrong: a level is a number
explain({}, {}, "q1", 100, 2)  # wrong: rel is given by its name
explain({}, {}, "q1", 100)[0].pres()  # wrong: a number, not a method
