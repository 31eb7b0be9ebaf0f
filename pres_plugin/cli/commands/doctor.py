"""``pres-eval doctor``: check what is installed and whether it works."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata

import click

from pres_plugin.cli.diagnosis import CHECKS, Part, diagnosis

# Lines about a part's packages start below the text of its first line.
_INDENT = " " * (len("missing") + max(map(len, CHECKS)) + 4)


@click.command()
@click.argument("extras", metavar="[EXTRA ...]", type=click.Choice(list(CHECKS)), nargs=-1)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the report as JSON, for example to attach it to a bug report.",
)
@click.pass_context
def doctor(context: click.Context, extras: tuple[str, ...], as_json: bool) -> None:
    """Check which extras are installed, and whether they score correctly.

    Each EXTRA (default: all) is checked with an example from the PRES paper. The report states
    whether the extra is installed and works, and how to install what is missing. The exit code
    is 1 if an installed extra does not work, and otherwise 0.

    The first check of ranx is slow, because numba compiles it. Spark is started only by
    "pres-eval doctor spark".
    """
    versions = {
        "version": metadata.version("pres-plugin"),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
    }
    parts = list(diagnosis(extras))
    works = all(part.state != "fails" for part in parts)
    if as_json:
        results = {**versions, "parts": [asdict(part) for part in parts], "works": works}
        click.echo(json.dumps(results, indent=2))
    else:
        click.echo(f"pres-plugin {', '.join(versions.values())}")
        click.echo("\n".join(line for part in parts for line in _lines(part)))
    context.exit(0 if works else 1)


def _lines(part: Part) -> Iterator[str]:
    yield ""
    yield f"{part.state:7}  {part.name:{len(_INDENT) - 11}}  {part.found}"
    for package in part.packages:
        yield f"{_INDENT}{package.name} {package.version or '-'} (supported: {package.supported})"
    if part.remedy is not None:
        what = "it" if part.state == "missing" else "supported versions"
        yield f"{_INDENT}to install {what}: {part.remedy}"
