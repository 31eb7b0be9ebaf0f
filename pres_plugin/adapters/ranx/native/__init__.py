"""The measures as metrics of ranx."""

# Before any module of this package: importing ranx connects it, which imports
# these modules, which then must not be half imported themselves.
import ranx  # noqa: F401
