"""``pres-eval doctor``: check what is installed and whether it works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pres_plugin.doctor import Diagnosis, Part

__all__ = ["doctor"]


@click.command()
@click.argument("extras", metavar="[EXTRA ...]", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, to attach to a bug report.")
@click.pass_context
def doctor(context: click.Context, extras: tuple[str, ...], as_json: bool) -> None:
    """Check what is installed, by scoring the paper's example with it.

    Reports for each EXTRA (default: all) whether it is installed and works, and how to
    install what is missing. Exits with 1 if an installed extra does not work. The first
    time, it waits for ranx to compile. Spark is started only for `pres-eval doctor
    spark`.
    """
    from pres_plugin.doctor import diagnose

    try:
        diagnosis = diagnose(extras)
    except (RuntimeError, ValueError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        text = json.dumps({**asdict(diagnosis), "works": diagnosis.works}, indent=2)
    else:
        text = "\n".join(_lines(diagnosis))
    click.echo(text)
    context.exit(0 if diagnosis.works else 1)


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"pres-plugin {diagnosis.version}, {diagnosis.python}, {diagnosis.platform}"
    width = max(len(part.name) for part in diagnosis.parts)
    for part in diagnosis.parts:
        indent = " " * (len("missing") + width + 4)
        yield ""
        yield f"{part.state:7}  {part.name:{width}}  {part.found}"
        for package in part.packages:
            version = package.version or "-"
            yield f"{indent}{package.name} {version} (supported: {package.supported})"
        if part.remedy is not None:
            yield f"{indent}{_purpose(part)}: {part.remedy}"


def _purpose(part: Part) -> str:
    return "to install it" if part.state == "missing" else "to install versions that are supported"
