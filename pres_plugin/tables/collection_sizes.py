"""The number of documents in each topic's collection, for measures that require it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pres_plugin.kernel.arguments import whole
from pres_plugin.kernel.topics import Ints
from pres_plugin.measures import Measure
from pres_plugin.measures.parameters import LARGEST
from pres_plugin.messages import InputError, quoted


@dataclass(frozen=True)
class CollectionSizes:
    """N for each topic as a number or as text, not yet checked.

    `source` is the file or the argument that contains them, as messages name it.
    """

    source: str
    by_topic: Mapping[str, Any]

    def of(self, topics: Iterable[str], measures: Iterable[Any]) -> Ints:
        """Return the N of each topic.

        Raise an InputError if the N of a topic is missing or invalid, or if none of the measures
        uses it.
        """
        if not any(isinstance(measure, Measure) and measure.lacks_size for measure in measures):
            raise InputError(
                f"{self.source}: no measure uses the sizes of the collections; leave them out, or "
                "write measures without N, such as Rnorm or WSS@0.95"
            )
        found = []
        for topic in topics:
            size = self.by_topic.get(topic)
            name = f"{self.source}: the N of topic {quoted(topic)}, which is judged,"
            try:
                found.append(
                    whole(name, int(str(size)) if str(size).isdecimal() else size, most=LARGEST)
                )
            except ValueError as error:
                raise InputError(str(error)) from None
        return np.array(found, np.int64)
