"""The pages of Parquet files are found as PyArrow finds them, and impossible ones are reported."""

import inspect
import random

import polars as pl
import pyarrow.parquet as pq
import pytest

from pres_plugin.formats.base import FileError
from pres_plugin.formats.parquet import pages as parquet_pages
from pres_plugin.formats.parquet.files import ParquetFile
from pres_plugin.formats.parquet.pages import page_problem

N_ROWS = 3000
FRAME = pl.DataFrame(
    {
        "query_id": [f"q{i // 50}" for i in range(N_ROWS)],
        "doc_id": [f"d{i * 7919 % N_ROWS}" for i in range(N_ROWS)],
        "score": [i / 7 for i in range(N_ROWS)],
        "text": ["x" * 5000 for _ in range(N_ROWS)],
    }
)
COLUMNS = ("query_id", "doc_id", "score")

WRITERS = {
    **{
        f"polars, {compression}": lambda path, compression=compression: FRAME.write_parquet(
            path, compression=compression, row_group_size=700
        )
        for compression in ("uncompressed", "snappy", "zstd", "gzip", "brotli", "lz4")
    },
    **{
        f"pyarrow, {options}": lambda path, options=options: pq.write_table(
            FRAME.to_arrow(), path, data_page_size=2000, **options
        )
        for options in (
            {"row_group_size": 700},
            {"use_dictionary": False},
            {"data_page_version": "2.0"},
            {"write_page_checksum": True, "write_page_index": True},
            {"write_statistics": False},
        )
    },
}


@pytest.fixture(params=list(WRITERS))
def path(tmp_path, request):
    path = str(tmp_path / "file.parquet")
    options = inspect.signature(pq.write_table).parameters
    if "checksum" in request.param and "write_page_checksum" not in options:
        pytest.skip("this version of PyArrow writes no checksums")
    WRITERS[request.param](path)
    return path


def test_pages_cover_each_column_of_each_row_group(path):
    metadata = pq.ParquetFile(path).metadata
    chunks = [
        metadata.row_group(group).column(column)
        for group in range(metadata.num_row_groups)
        for column in range(len(COLUMNS))
    ]
    with open(path, "rb") as file:
        for chunk, (at, end) in zip(chunks, parquet_pages._chunks(file, COLUMNS), strict=True):
            decompressed = 0
            while at < end:
                header, length = parquet_pages._page_header(file, at)
                at += length + header[3]
                decompressed += length + header[2]
            assert at == end
            assert decompressed == chunk.total_uncompressed_size


def test_pages_over_the_limit_are_reported(path, monkeypatch):
    assert page_problem(path, COLUMNS) is None
    monkeypatch.setattr(parquet_pages, "LARGEST_PAGE", 1000)
    assert page_problem(path, ["other"]) is None
    with pytest.raises(
        FileError, match=r"cannot be read as Parquet .a page is .* maximum is 1,000"
    ):
        ParquetFile(path)


def small(path):
    """Write one row without compression, and return the content of the file."""
    frame = pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]})
    frame.write_parquet(path, compression="uncompressed")
    return path.read_bytes()


def test_a_negative_number_of_values_is_reported(tmp_path):
    path = tmp_path / "file.parquet"
    content = small(path)
    # A struct (2c) whose first field (15) is 1 (02), or -1 (01), in the header of each page.
    assert content.count(b"\x2c\x15\x02") == 3
    # Polars would ask for 2^61 bytes, which aborts the process.
    path.write_bytes(content.replace(b"\x2c\x15\x02", b"\x2c\x15\x01"))
    with pytest.raises(FileError, match=r"cannot be read as Parquet .a page has a negative size"):
        ParquetFile(str(path))


def is_read(path):
    """Return whether a damaged file is read; any error except a FileError fails the test."""
    try:
        for piece in ParquetFile(str(path)).pieces("score"):
            assert piece.columns == ["query_id", "doc_id", "score"]
    except FileError as error:
        problem = str(error)
    else:
        return True
    assert problem.startswith(f"{path}: ")
    assert "\n" not in problem
    return False


@pytest.mark.slow
def test_each_byte_may_be_damaged(tmp_path):
    path = tmp_path / "file.parquet"
    content = small(path)
    read = 0
    for i in range(len(content)):
        path.write_bytes(content[:i] + bytes([content[i] ^ 1]) + content[i + 1 :])
        read += is_read(path)
    assert 0 < read < len(content)


def test_damaged_files_are_read_or_refused(tmp_path):
    path = tmp_path / "file.parquet"
    FRAME.select(COLUMNS).head(200).write_parquet(path, row_group_size=60)
    content = path.read_bytes()
    seeded = random.Random(14)
    read = 0
    for _ in range(200):
        damaged = bytearray(content)
        for _ in range(seeded.choice((1, 2, 8))):
            damaged[seeded.randrange(len(damaged))] = seeded.randrange(256)
        if seeded.random() < 0.2:
            del damaged[seeded.randrange(len(damaged)) :]
        path.write_bytes(damaged)
        read += is_read(path)
    assert 0 < read < 200
