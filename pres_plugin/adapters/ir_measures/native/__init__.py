"""The measures as objects of ir-measures."""

# Before any module of this package: importing ir_measures connects it, which
# imports these modules, which then must not be half imported themselves.
import sys

import ir_measures  # noqa: F401

#: The modules of ir-measures whose classes these modules use.
USED = {
    name: sys.modules[name]
    for name in ("ir_measures.measures", "ir_measures.providers", "ir_measures.util")
}
