"""Tables as columns in memory.

Studies compute with these tables, and convert them to pandas dataframes only when the caller asks
for a dataframe. Importing pandas takes longer than comparing a dozen runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd

    Values: TypeAlias = Sequence[Any] | NDArray[Any] | pd.Series


class Column(NamedTuple):
    """A column and its name, which is a whole number for a column of scores at a cutoff."""

    name: Any
    values: Values

    @property
    def dtype(self) -> Any:
        """The type of the values in an array or a Series, or None for a list."""
        return getattr(self.values, "dtype", None)

    def tolist(self) -> list[Any]:
        """Return the values as Python objects."""
        return list(self.values) if self.dtype is None else self.values.tolist()  # type: ignore[union-attr]


class Columns:
    """A table: lists or arrays of the same length, by name.

    If some columns are named by cutoffs, `measure` is the measure whose scores they contain.
    """

    def __init__(self, values: Mapping[Any, Values], measure: str | None = None) -> None:
        self.values: dict[Any, Values] = dict(values)
        self.measure: str | None = measure

    def __repr__(self) -> str:
        return f"Columns({self.values!r})"

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def __getitem__(self, name: Any) -> Any:
        return self.values[name]

    @property
    def columns(self) -> NDArray[Any]:
        """The names of the columns."""
        return np.array(list(self.values), dtype=object)

    def rows(self, which: slice) -> Columns:
        """Return some of the rows."""
        return Columns({name: values[which] for name, values in self.values.items()}, self.measure)

    def head(self, most: int) -> Columns:
        """Return the first rows."""
        return self.rows(slice(most))

    def frame(self, index: str | None = None) -> pd.DataFrame:
        """Return a dataframe; `index` is the column to use as its index."""
        import pandas as pd

        frame = pd.DataFrame(self.values)
        return frame if index is None else frame.set_index(index)


def from_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Return a table of rows, each with one value per column in `names`."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return Columns(dict(zip(names, map(list, columns), strict=True)))


def columns_of(frame: Columns | pd.DataFrame) -> list[Column]:
    """Return the columns of a table or of a dataframe without a named index."""
    if isinstance(frame, Columns):
        return [Column(name, values) for name, values in frame.values.items()]
    return [Column(name, frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
