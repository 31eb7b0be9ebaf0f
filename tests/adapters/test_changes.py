"""Changes to other packages are undone, but not what these have become since."""

import types

from pres_plugin.adapters.changes import Changes


def test_undoing_leaves_what_somebody_else_changed_since():
    class Module:
        names = ["theirs"]  # noqa: RUF012 (a list, as in __all__)
        others = ["theirs"]  # noqa: RUF012

        def function():
            return "theirs"

    registry, module, function = {}, types.ModuleType("module"), Module.function
    changes = Changes()
    changes.add(registry, "PRES", 1)
    changes.add(module, "PRES", 1)
    changes.wrap([Module], "function", lambda original: lambda: "ours")
    changes.add_item(Module, "names", "PRES")
    changes.add_item(Module, "others", "PRES", first=True)
    assert (Module.function(), Module.others) == ("ours", ["PRES", "theirs"])
    registry["PRES"] = module.PRES = 2
    Module.names.append("later")
    Module.others = []
    changes.undo()
    assert (registry, module.PRES, Module.function) == ({"PRES": 2}, 2, function)
    assert (Module.names, Module.others) == (["theirs", "later"], [])
