"""Open files: decompressed, in UTF-8, with errors that name them."""

from __future__ import annotations

import codecs
import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any, cast

from pres_plugin.messages import InputError
from pres_plugin.tables.base import shown_as

#: The first bytes of a file compressed with gzip.
GZIP = b"\x1f\x8b"

#: The number of bytes at the start of a file from which its format is recognised.
START = 100_000

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@contextmanager
def opened(path: str, name: str) -> Iterator[IO[bytes]]:
    """Open a file, decompressed as it is read; UTF-16 becomes UTF-8 without a byte order mark.

    Raise an InputError if the file cannot be read, also in the body of the ``with`` statement.
    """
    shown = shown_as(name)
    with os_errors(shown), open(path, "rb") as file:
        try:
            yield _as_text(file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{shown}: the compressed file is damaged ({error})") from None
        except UnicodeDecodeError:
            raise InputError(f"{shown}: the text is not valid UTF-16") from None


def _as_text(file: Any) -> IO[bytes]:
    if file.peek(2).startswith(GZIP):
        file = gzip.open(file)  # noqa: SIM115 (closed with the file that it reads)
    start = file.peek(3)
    if start.startswith(_UTF_16):  # as Excel's Unicode Text, which is small
        file = BytesIO(file.read().decode("utf-16").encode())
    elif start.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return cast(IO[bytes], file)


@contextmanager
def os_errors(name: str) -> Iterator[None]:
    """Raise an InputError that calls the file `name` if the system cannot open or read it."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{shown_as(name)}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{shown_as(name)}: cannot be read ({error.strerror or error})") from None


def start_of(path: str, name: str) -> bytes:
    """Return the first bytes of a file, decompressed and in UTF-8."""
    with opened(path, name) as file:
        start = file.read(START)
        # A record of JSON lines is recognised as a whole.
        return start + file.read(10 * START) if start.lstrip().startswith(b"{") else start


def check_plain(path: str, name: str) -> None:
    """Raise an InputError if a binary file is missing, or compressed with gzip as a whole."""
    with os_errors(name), open(path, "rb") as file:
        if file.read(len(GZIP)) == GZIP:
            raise InputError(
                f"{shown_as(name)}: a file in this format cannot be gzip'd; decompress it first"
            )


def is_folder(path: str) -> bool:
    """Return whether a path leads to a folder; raise an InputError if the system cannot tell."""
    with os_errors(path):
        return path != "-" and stat.S_ISDIR(os.stat(path).st_mode)
