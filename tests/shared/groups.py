"""Keep the tests of an xdist_group in one process, where pytest-xdist alone does not."""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Append the group to each test's id, from which pytest-xdist's scheduler reads it.

    pytest-xdist 3.8 writes it where pytest 9.2 no longer reads it, and then ignores groups:
    https://github.com/pytest-dev/pytest-xdist/issues/1386
    """
    if not config.getoption("loadgroup", False) or not hasattr(pytest.Item, "id"):
        return
    for item in items:
        groups = sorted({mark.args[0] for mark in item.iter_markers("xdist_group")})
        suffix = f"@{'_'.join(groups)}"
        if groups and not item.nodeid.endswith(suffix):
            item._id = type(item.id).parse(item.nodeid + suffix)
