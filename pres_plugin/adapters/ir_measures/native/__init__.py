"""The measures as objects of ir-measures."""

# Before any module of this package: importing ir_measures connects it, which
# imports these modules, which then must not be half imported themselves.
import ir_measures  # noqa: F401
