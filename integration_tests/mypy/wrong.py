"""What is wrong with the types: each line that says so, and no other, is to be reported."""

from pres_plugin import PRES, TNR, WSS, LastRel, Rnorm, pres, relevant_ranks, status, wss
from pres_plugin.files import read_run
from pres_plugin.frames import PRES as OUR_PRES
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain

pres([1, 2], 4, "100")  # wrong: Nmax is a number
pres(["d1", "d2"], 4, 100)  # wrong: ranks are numbers
pres([1, 2], 4)  # wrong: Nmax is missing
relevant_ranks(["d1"], relevant=1)  # wrong: one document is not a collection
PRES @ "100"  # wrong: a cutoff is a number
OUR_PRES @ "100"  # wrong: whichever object it is
PRES(rel="2")  # wrong: so is a relevance
PRES(N=1000)  # wrong: PRES takes no size of the collection
PRES(depth=10)  # wrong: there is no such parameter
Rnorm(N="all")  # wrong: the size is a number
WSS(N=1000, rounding="down")  # wrong: up or nearest
WSS(N=1000, cutoff=100)  # wrong: WSS has no cutoff
TNR(N=1000) @ "95%"  # wrong: a recall is a number
LastRel(recall=0.5)  # wrong: LastRel has no recall
wss([1, 2], 4, 100, rounding="half up")  # wrong: one of up and nearest
read_run("a.run", duplicates="both")  # wrong: one of error, first, last
print(status()[0].installed)  # wrong: version says if it is
compare({}, {}, ["AP"], test="sign")  # wrong: there are wilcoxon, t and randomization
compare({}, {}, ["AP"], confidence="95%")  # wrong: a level is a number
explain({}, {}, "q1", 100, 2)  # wrong: rel is given by its name
explain({}, {}, "q1", 100)[0].pres()  # wrong: a number, not a method
