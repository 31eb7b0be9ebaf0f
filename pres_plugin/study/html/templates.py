"""Fill in the templates of this folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

_FOLDER = Path(__file__).parent


def render(template: str, **values: Any) -> Markup:
    """Return a template with these values, which are escaped unless they are Markup."""
    # The template has escaped the values, so the result must not be escaped again.
    return Markup(_environment().get_template(template).render(values))


def asset(name: str) -> Markup:
    """Return a style sheet or a script, to be put into a page."""
    return Markup((_FOLDER / name).read_text(encoding="utf-8").rstrip())


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
