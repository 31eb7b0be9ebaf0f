"""What goes wrong when ir-measures is connected.

``integration_tests/test_framework_contract.py`` tests what holds for each framework.
"""

import forks
import pytest
from interpreter import STRICT


def run_python(code):
    return forks.run_python(code, *STRICT)


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("measures.register(ir_measures.AP, name='Rnorm')", "the entry 'Rnorm' already exists"),
        ("ir_measures.PRES_est = 1", "ir_measures.PRES_est already exists"),
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
    "a framework's attribute that cannot be changed": (
        "type(ir_measures.DefaultPipeline).__setattr__ = lambda *args: 1 / 0",
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
