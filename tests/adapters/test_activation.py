"""Importing connects frameworks whenever they come, and deactivating undoes all of it."""

import forks
import pytest
from interpreter import STRICT
from simultaneous import imported_in_threads


def run_python(code):
    return forks.run_python(code, *STRICT)


def test_importing_stays_light():
    loaded = run_python(
        """
        import sys, pres_plugin
        heavy = {"pandas", "ir_measures", "pyterrier", "ranx", "asreview", "numba"}
        heavy |= {"matplotlib", "click", "sqlite3", "zipfile"}
        print(heavy & set(sys.modules))
        """
    )
    assert loaded == "set()\n"


@pytest.mark.parametrize(
    "imports",
    [
        "import pres_plugin, ir_measures",
        "import ir_measures, pres_plugin",
        "import pres_plugin; from ir_measures.measures import AP",
        "import pres_plugin.adapters.ir_measures.native.provider, ir_measures",
        "from pres_plugin import PRES; import ir_measures",
    ],
)
def test_the_order_of_imports_does_not_matter(imports):
    run_python(
        f"""
        {imports}
        import sys
        ir_measures, pres_plugin = sys.modules["ir_measures"], sys.modules["pres_plugin"]
        assert ir_measures.PRES is pres_plugin.PRES is ir_measures.measures.registry["PRES"]
        assert pres_plugin.status()[0].connected
        qrels, run = {{"q": {{"a": 1}}}}, {{"q": {{"b": 2.0, "a": 1.0}}}}
        assert ir_measures.PRES(rel=1)@2 == ir_measures.parse_measure("PRES@2")
        assert (ir_measures.PRES@2).calc_aggregate(qrels, run) == 0.5
        """
    )


def test_importing_the_framework_shows_its_own_loader():
    run_python(
        """
        import pres_plugin, ir_measures, importlib.resources
        assert type(ir_measures.__loader__).__name__ == "SourceFileLoader"
        assert ir_measures.__spec__.loader is ir_measures.__loader__
        assert importlib.resources.files("ir_measures").joinpath("__init__.py").is_file()
        """
    )


def test_threads_that_import_at_the_same_time_connect_once():
    then = """
        assert [p.NAME for p in ir_measures.DefaultPipeline.providers].count("pres_plugin") == 1
        assert pres_plugin.status()[0].connected
    """
    run_python(imported_in_threads("ir_measures", then))


def test_activating_twice_is_activating_once():
    run_python(
        """
        import ir_measures, pres_plugin, sys
        before = list(ir_measures.DefaultPipeline.providers), list(sys.meta_path)
        pres_plugin.activate()
        assert (ir_measures.DefaultPipeline.providers, sys.meta_path) == before
        """
    )


def test_deactivating_puts_everything_back():
    run_python(
        """
        import sys
        import ir_measures

        def state():
            return [
                dict(vars(ir_measures)), dict(vars(ir_measures.measures)),
                dict(ir_measures.measures.registry), dict(ir_measures.providers.registry),
                list(ir_measures.DefaultPipeline.providers), list(ir_measures.__all__),
                list(ir_measures.measures.__all__), list(sys.meta_path),
            ]

        before = state()
        import pres_plugin
        connected = state()
        pres_plugin.deactivate()
        pres_plugin.deactivate()
        assert state() == before
        pres_plugin.activate()
        assert [len(part) for part in state()] == [len(part) for part in connected]
        assert ir_measures.PRES is pres_plugin.PRES
        """
    )


def test_a_framework_imported_after_deactivating_is_left_alone():
    run_python(
        """
        import pres_plugin
        pres_plugin.deactivate()
        import ir_measures
        assert not hasattr(ir_measures, "PRES")
        assert not pres_plugin.status()[0].connected
        pres_plugin.activate()
        assert ir_measures.PRES is pres_plugin.PRES
        """
    )


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("measures.register(ir_measures.AP, name='Rnorm')", "the entry 'Rnorm' already exists"),
        ("ir_measures.PRES_est = 1", "ir_measures.PRES_est already exists"),
        ("del ir_measures.DefaultPipeline", "it has no ir_measures.DefaultPipeline.providers"),
        ("del ir_measures.util.RunConverter.predict_type", "no ir_measures.util.RunConverter"),
    ],
)
def test_an_unsuitable_framework_is_named_and_left_as_it_was(change, missing):
    run_python(
        f"""
        import warnings
        import ir_measures
        from ir_measures import measures
        {change}
        before = dict(vars(ir_measures)), dict(measures.registry), list(measures.__all__)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            import pres_plugin
        (warning,) = caught
        for part in ("ir-measures " + ir_measures.__version__, {missing!r}):
            assert part in str(warning.message), str(warning.message)
        assert (dict(vars(ir_measures)), measures.registry, measures.__all__) == before
        (status,) = [s for s in pres_plugin.status() if s.framework == "ir-measures"]
        assert not status.connected
        assert status.problem == str(warning.message)
        """
    )


BREAKS = {
    "an import of ours that fails": (
        "sys.modules['pres_plugin.adapters.ir_measures.native.provider'] = None",
        "ModuleNotFoundError: import of pres_plugin.adapters.ir_measures.native.provider halted",
    ),
    "a framework's attribute that cannot be read": (
        "type(ir_measures.DefaultPipeline).providers = property(lambda self: 1 / 0)",
        "it has no ir_measures.DefaultPipeline.providers",
    ),
    "a framework's attribute that cannot be changed": (
        "type(ir_measures.DefaultPipeline).__setattr__ = lambda *args: 1 / 0",
        "ZeroDivisionError: division by zero",
    ),
    "a framework's registry that cannot be changed": (
        "ir_measures.providers.registry = types.MappingProxyType(ir_measures.providers.registry)",
        "TypeError: 'mappingproxy' object does not support item assignment",
    ),
    "a class of the framework that cannot be derived from": (
        "ir_measures.measures.Measure.__init_subclass__ = classmethod(lambda cls: 1 / 0)",
        "ZeroDivisionError: division by zero",
    ),
    "damaged metadata": (
        "importlib.metadata.version = lambda name: 1 / 0; del ir_measures.DefaultPipeline",
        "ir-measures (version unknown): it has no ir_measures.DefaultPipeline",
    ),
}


@pytest.mark.parametrize(("breaks", "problem"), BREAKS.values(), ids=BREAKS)
def test_whatever_goes_wrong_is_one_warning_and_leaves_nothing_behind(breaks, problem):
    run_python(
        f"""
        import importlib.metadata, sys, types, warnings
        import ir_measures
        registries = ir_measures.measures.registry, ir_measures.providers.registry
        before = [dict(registry) for registry in registries]
        {breaks}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RuntimeWarning)
            import pres_plugin
            status = pres_plugin.status()[0]
        (message,) = [str(warning.message) for warning in caught]
        assert message.startswith("pres-plugin cannot add its measures to ir-measures "), message
        assert {problem!r} in message, message
        assert not hasattr(ir_measures, "PRES") and "PRES" not in ir_measures.__all__
        assert [dict(registry) for registry in registries] == before
        assert not hasattr(ir_measures.parse_trec_measure, "__wrapped__")
        assert not status.connected and status.problem == message, status
        """
    )


def test_a_reloaded_framework_that_lacks_something_now_loses_the_measures_with_a_warning():
    run_python(
        """
        import importlib, warnings
        import pres_plugin, ir_measures
        del ir_measures.util.QrelsConverter.predict_type
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RuntimeWarning)
            importlib.reload(ir_measures)
        (message,) = [str(w.message) for w in caught if w.category is RuntimeWarning]
        assert "it has no ir_measures.util.QrelsConverter.predict_type" in message
        assert not hasattr(ir_measures, "PRES") and "PRES" not in ir_measures.measures.registry
        assert not hasattr(ir_measures.parse_trec_measure, "__wrapped__")
        assert pres_plugin.status()[0].problem == message
        """
    )


def test_one_change_that_cannot_be_undone_does_not_keep_the_others_from_being_undone():
    run_python(
        """
        import warnings
        import pres_plugin, ir_measures
        type(ir_measures.DefaultPipeline).__setattr__ = lambda *args: 1 / 0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pres_plugin.deactivate()
        (message,) = [str(warning.message) for warning in caught]
        assert message == (
            "pres-plugin could not undo all its changes to ir-measures: FallbackProvider.providers "
            "(ZeroDivisionError: division by zero); restart Python to remove them"
        ), message
        assert not hasattr(ir_measures, "PRES") and "PRES" not in ir_measures.measures.registry
        assert "pres_plugin" not in ir_measures.providers.registry
        assert not hasattr(ir_measures.parse_trec_measure, "__wrapped__")
        """
    )


def test_other_measures_are_scored_while_the_framework_is_reloaded():
    run_python(
        """
        import importlib, sys, threading
        import pres_plugin, ir_measures
        sys.setswitchinterval(1e-6)
        qrels, run = {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}
        held = ir_measures.evaluator([ir_measures.PRES @ 2, ir_measures.AP], qrels)
        calls = [
            lambda: ir_measures.calc_aggregate([ir_measures.AP], qrels, run),
            lambda: held.calc_aggregate(run),
            lambda: ir_measures.parse_trec_measure("pres_2"),
            lambda: ir_measures.PRES @ 2,
        ]
        failures, reloaded = [], threading.Event()

        def repeat(call):
            try:
                while not reloaded.is_set():
                    call()
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=repeat, args=(call,)) for call in calls]
        for thread in threads:
            thread.start()
        for _ in range(30):
            importlib.reload(ir_measures)
        reloaded.set()
        for thread in threads:
            thread.join()
        assert not failures, failures
        assert (ir_measures.PRES @ 2).calc_aggregate(qrels, run) == 0.5
        """
    )


def test_a_pickled_measure_loads_where_nothing_is_imported_yet():
    pickled = run_python(
        """
        import pickle
        from pres_plugin import PRES, Rnorm
        print(pickle.dumps([PRES(rel=2)@100, Rnorm(N=7)]).hex())
        """
    )
    run_python(
        f"""
        import pickle
        measures = pickle.loads(bytes.fromhex({pickled.strip()!r}))
        import ir_measures
        assert measures == [ir_measures.PRES(rel=2)@100, ir_measures.Rnorm(N=7)]
        """
    )


def test_without_ir_measures_the_measures_are_our_own():
    run_python(
        """
        import sys
        sys.modules["ir_measures"] = None
        import pres_plugin
        from pres_plugin import PRES, measures
        assert PRES is measures.PRES
        assert pres_plugin.score(["a", "b"], {"b"}, PRES @ 10) == pres_plugin.pres([2], 1, 10)
        """
    )


def test_without_pyterrier_a_transformer_says_what_to_install():
    run_python(
        """
        import sys
        sys.modules["pyterrier"] = None
        from pres_plugin import FoldFamilies
        try:
            FoldFamilies("kind-codes")
        except ImportError as error:
            assert "pip install '.[pyterrier]'" in str(error), error
        else:
            raise SystemExit("a transformer without PyTerrier")
        """
    )
