"""The metrics and functions that are added to ranx."""

# Import ranx before any module of this package. Its import connects it, and
# connecting imports these modules, which must not be partly imported by then.
import ranx  # noqa: F401
