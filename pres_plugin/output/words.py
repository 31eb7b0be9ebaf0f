"""Numbers, names and lists in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pres_plugin.escaping import visible
from pres_plugin.messages import listed, shortened

#: The number of decimals of a score. Scores that are equal to these decimals count as ties.
DECIMALS = 4

#: The number of measures that the sentences are about. The tables contain all of them.
MOST_MEASURES = 5

_LONGEST_NAME = 40
_PARAMETERS = re.compile(r"\(.*\)", re.DOTALL)
_JOINED = re.compile(r"(?<=\d) (?=%)| (?=[=<] )|(?<= [=<]) ")
_PLAIN = re.compile(r"[\w()=@+/:-](?:[\w.()=@+/:-]*[\w()=@+/:-])?")


def name(text: str) -> str:
    """Return the name of a run, topic or document, cut if it is long.

    A name with blanks or punctuation is quoted.

    >>> from pres_plugin.output.words import name
    >>> print(name("bm25"), name("a, b"))
    bm25 'a, b'
    """
    cut = shortened(text, _LONGEST_NAME)
    # Python's rules for strings escape everything that is hidden.
    return text if cut == text and _PLAIN.fullmatch(text) else visible(repr(cut))


def names(texts: Sequence[str], at_most: int = 3) -> str:
    """Return a list of names, which counts those after the first few.

    >>> from pres_plugin.output.words import names
    >>> names(["a", "b", "c"]), names(list("abcdef"))
    ('a, b and c', 'a, b, c and 3 others')
    """
    shown = list(map(name, texts))
    if len(shown) > at_most + 1:  # a count of one would not be shorter
        shown[at_most:] = [f"{len(shown) - at_most:,} others"]
    return listed(shown)


def count(number: int, noun: str) -> str:
    """Return a number and a noun, which gets an s unless the number is 1.

    >>> from pres_plugin.output.words import count
    >>> count(1, "topic"), count(2000, "run")
    ('1 topic', '2,000 runs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def decimal(value: float, decimals: int = DECIMALS) -> str:
    """Return a number with decimals; zero has no sign. -1 means full precision.

    >>> from pres_plugin.output.words import decimal
    >>> decimal(0.5), decimal(1234.5, 2), decimal(-0.00001), decimal(0.1 + 0.2, -1)
    ('0.5000', '1234.50', '0.0000', '0.30000000000000004')
    """
    if decimals < 0:
        return repr(float(value))
    text = f"{value:.{decimals}f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def labels(measures: Iterable[str]) -> dict[str, str]:
    """Return the label of each measure: without parameters, unless two labels would be equal.

    >>> from pres_plugin.output.words import labels
    >>> list(labels(["WSS(judged_only=True)@0.95", "AP(rel=2)", "AP"]).values())
    ['WSS@0.95', 'AP(rel=2)', 'AP']
    """
    shorter = {measure: _PARAMETERS.sub("", measure) for measure in measures}
    uses = Counter(shorter.values())
    return {full: label if uses[label] == 1 else full for full, label in shorter.items()}


def in_full(measures: Iterable[str]) -> list[str]:
    """Return a sentence with the measures whose labels lack parameters; empty if there are none.

    >>> from pres_plugin.output.words import in_full
    >>> in_full(["AP", "Rnorm(N=99)"])
    ['Measures in full: Rnorm(N=99).']
    """
    shortened = [full for full, label in labels(measures).items() if full != label]
    return [f"Measures in full: {listed(shortened)}."] if shortened else []


def p_value(value: float, decimals: int = DECIMALS) -> str:
    """Return a p-value; one that would look like 0 is less than a number.

    >>> from pres_plugin.output.words import p_value
    >>> p_value(0.0123), p_value(0.00001)
    ('0.0123', '<0.0001')
    """
    least = 10.0**-decimals if decimals > 0 else 0.0
    return f"<{least:.{decimals}f}" if value < least else decimal(value, decimals)


def one_topic(n_topics: int) -> list[str]:
    """Return a sentence about what a single topic does not have; empty for several topics."""
    return ["With one topic, there is no test and no interval over topics."] * (n_topics == 1)


def unbroken(text: str) -> str:
    r"""Return a sentence whose numbers stay on the line of their unit or symbol.

    >>> from pres_plugin.output.words import unbroken
    >>> unbroken("38 % at α = 0.05").split(" ")
    ['38\xa0%', 'at', 'α\xa0=\xa00.05']
    """
    return _JOINED.sub("\xa0", text)


def percent(fraction: float) -> str:
    """Return a fraction in percent.

    >>> from pres_plugin.output.words import percent
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{fraction * 100:.10g} %"
