"""``pres-eval doctor``: print versions, and score the paper's example in each framework."""

from __future__ import annotations

import platform
import re
from contextlib import suppress
from importlib import metadata
from typing import Any

import click

from pres_plugin.adapters.activation import status
from pres_plugin.escaping import visible
from pres_plugin.messages import install

# System 4 of the paper finds its four relevant documents at these ranks. Its PRES@100 is 0.28.
_JUDGED = {f"d{rank}": 1 for rank in (1, 98, 99, 100)}
_FOUND = {f"d{rank}": -float(rank) for rank in range(1, 101)}
_QRELS, _RUN = {"q1": _JUDGED}, {"q1": _FOUND}


def _ir_measures() -> Any:
    import ir_measures

    return ir_measures.parse_measure("PRES@100").calc_aggregate(_QRELS, _RUN)


def _pyterrier() -> Any:
    import pandas as pd
    import pyterrier as pt

    run = pd.DataFrame({"qid": "q1", "docno": list(_FOUND), "score": list(_FOUND.values())})
    qrels = pd.DataFrame({"qid": "q1", "docno": list(_JUDGED), "label": 1})
    return pt.Evaluate(run, qrels, ["PRES@100"])["PRES@100"]


def _ranx() -> Any:
    import ranx

    return ranx.evaluate(ranx.Qrels(_QRELS), ranx.Run(_RUN), "pres@100")


#: A function for each framework, which returns the score of the example.
EXAMPLES = {"ir-measures": _ir_measures, "pyterrier": _pyterrier, "ranx": _ranx}


@click.command()
def doctor() -> int:
    """Print versions, and check whether each framework scores correctly.

    The command scores an example of the PRES paper with each framework. The exit code is 1 if one
    of them does not work, otherwise 0.

    The check of ranx is slow at first, because numba compiles it.
    """
    click.echo(f"Python {platform.python_version()}, {platform.platform()}")
    required = [re.split(r"[^\w-]", each)[0] for each in metadata.requires("pres-plugin") or ()]
    for package in dict.fromkeys(["pres-plugin", *required]):
        with suppress(metadata.PackageNotFoundError):
            click.echo(f"{package} {metadata.version(package)}")
    click.echo("\nPRES@100 of the example, which is 0.2800:")
    scores = {name: _score(name) for name in EXAMPLES}
    code = 0
    for each in status():  # now that the frameworks are imported
        found = scores[each.framework]
        if each.version is None:
            found = f"not installed; {install(each.framework)}"
        elif found != "0.2800":
            code = 1
        click.echo(visible(" ".join(filter(None, [f"{each.framework:12}", found, each.problem]))))
    return code


def _score(framework: str) -> str:
    try:
        return f"{EXAMPLES[framework]():.4f}"
    except Exception as error:  # a broken installation may raise anything
        return f"{type(error).__name__}: {error}"
