from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.rewrites.proof import assert_remedied, model, remedied
from workbench.children.workers import Workers
from workbench.core.plan import LayerQuant, QuantPlan
from workbench.core.steps import Quiet
from workbench.core.verdict import Answer
from workbench.engines.check import check
from workbench.engines.convert import ConvertReport, convert
from workbench.engines.ort.reference import Reference, run_reference
from workbench.formats.onnx.contract import contracts_of
from workbench.formats.onnx.importer import open_onnx
from workbench.rewrites.gate import remedy, same_as_original
from workbench.rewrites.rewrite import Rewritten, all_rules, rewrite_model

LAYER = "g (float[N,4] x) => (float[N,3] m, bool[N,3] y) { m = MatMul(x, w) y = IsNaN(m) }"
WEIGHTS = {"w": np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)}


def converted(path: Path, out: Path, workers: Workers, plan: QuantPlan = QuantPlan()) -> ConvertReport:
    opened = open_onnx(path, workers, Quiet())
    return convert(opened, path, plan, out, contracts_of(opened), workers, Quiet(), remedy=remedy)


def test_a_model_that_is_right_stays_as_it_is(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (int64[N,3] x, int64[N,3] z) => (bool[N,3] y) { y = Less(x, z) }")
    report = converted(path, tmp_path / "out.mnn", workers)
    assert report.ok
    assert report.rewrites == ()


def test_an_artifact_keeps_what_was_rewritten(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, LAYER, weights=WEIGHTS)
    report = converted(path, tmp_path / "out.mnn", workers)
    assert report.artifact is not None
    assert (tmp_path / "out.mnn").is_file()
    (rewrite,) = report.artifact.rewrites
    assert (rewrite.rule, rewrite.node, rewrite.exact, rewrite.effect) == ("compare/is-nan", "y", True, None)
    assert rewrite.new[-1] == "y"


def test_a_plan_is_carried_out_on_the_rewritten_model(workers: Workers, tmp_path: Path) -> None:
    graph = "g (float[N,32] x) => (float[N,8] y, bool[N,8] n) { y = MatMul(x, w) n = IsNaN(y) }"
    weights = {"w": np.random.default_rng(0).standard_normal((32, 8)).astype(np.float32)}
    path = model(tmp_path, graph, weights=weights)
    report = converted(path, tmp_path / "out.mnn", workers, QuantPlan(LayerQuant(8)))
    assert report.ok, str(report.reason)
    assert [layer.bits for layer in report.layers_applied] == [8]
    assert report.verification is not None
    assert report.verification.price is not None
    assert [rewrite.rule for rewrite in report.rewrites] == ["compare/is-nan"]


def test_a_check_says_what_would_be_done_to_which_node(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, LAYER, weights=WEIGHTS)
    opened = open_onnx(path, workers, Quiet())
    report = check(opened, path, contracts_of(opened), workers, Quiet(), remedy=remedy)
    assert report.verdict is Answer.REWRITABLE
    assert not report.verdict.is_yes
    fixes = {verdict.node: str(verdict.fix) for verdict in report.nodes if verdict.fix is not None}
    assert fixes == {"y": "IsNaN is written as: neither at least 0 nor at most 0"}


def test_a_check_says_what_a_rewrite_costs(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        "g (float[1,2,8,8] x) => (float[1,2,6,6] y) { y = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (x) }",
    )
    opened = open_onnx(path, workers, Quiet())
    report = check(opened, path, contracts_of(opened), workers, Quiet(), remedy=remedy)
    (pool,) = report.nodes
    assert str(pool.fix_effect) == "Pooling by slices takes a pass over the data for each element of the window"


def test_what_no_rewrite_helps_stays_a_no(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (int64[3] x) => (int64[3] y) { y = Add(x, big) }", weights={"big": np.array([1 << 40])})
    report = converted(path, tmp_path / "out.mnn", workers)
    assert not report.ok
    assert report.rewrites == ()
    assert not (tmp_path / "out.mnn").exists()


def test_rules_with_a_cost_leave_alone_what_needs_none(workers: Workers, tmp_path: Path) -> None:
    """The layer is right as it is; only the pool takes rules that cost something."""
    random = np.random.default_rng(0)
    weights = {"w": random.standard_normal((1, 16, 3)), "r": random.standard_normal((1, 16, 4))}
    path = model(
        tmp_path,
        """g (float[1,2,8,8] x, float[5,2,3] s) => (float[1,2,6,6] y, float[5,1,2,4] z, float[1,2,4] h, float[1,2,4] c)
        { y = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (x) z, h, c = LSTM <hidden_size = 4> (s, w, r) }""",
        weights={name: array.astype(np.float32) for name, array in weights.items()},
    )
    assert_remedied(path, workers, "pooling/attributes", "pooling/max")


def reference_of(path: Path, folder: Path, workers: Workers) -> Reference:
    own = folder / "reference"
    own.mkdir()
    opened = open_onnx(path, workers, Quiet())
    found = run_reference(path, contracts_of(opened), own, workers, Quiet())
    assert isinstance(found, Reference)
    return found


def rewritten(path: Path, rules: set[str], folder: Path, workers: Workers) -> Rewritten:
    folder.mkdir()
    found = rewrite_model(path, rules, folder, workers, Quiet())
    assert isinstance(found, Rewritten)
    return found


def test_a_model_that_computes_something_else_does_not_pass(workers: Workers, tmp_path: Path) -> None:
    path = model(tmp_path, "g (float[2,3] x) => (float[2,3] y) { y = Neg(x) }")
    reference = reference_of(path, tmp_path, workers)
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    other = model(other_folder, "g (float[2,3] x) => (float[2,3] y) { y = Abs(x) }")
    own = tmp_path / "proof"
    own.mkdir()
    opened = open_onnx(other, workers, Quiet())
    assert not same_as_original(Rewritten(other, (), opened), reference, own, workers, Quiet())
    same = rewritten(path, {"compare/less"}, tmp_path / "same", workers)
    assert same_as_original(same, reference, own, workers, Quiet())


def test_only_the_rules_asked_for_are_applied(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path, "g (float[2,3] x, float[2,3] z) => (bool[2,3] y, bool[2,3] n) { y = Less(x, z) n = IsNaN(x) }"
    )
    found = rewritten(path, {"compare/is-nan"}, tmp_path / "one", workers)
    assert [rewrite.rule for rewrite in found.applied] == ["compare/is-nan"]
    assert [node.op for node in found.model.graph.nodes if node.id == "y"] == ["Less"]


def test_rules_have_families_and_distinct_ids(workers: Workers, tmp_path: Path) -> None:
    rules = all_rules(tmp_path, workers, Quiet())
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(rule.family and rule.id.count("/") == 1 and str(rule.title) for rule in rules)


def test_every_new_node_belongs_to_one_of_the_model(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[N,4] x, int64 k) => (float[N,4] y) {
        z = Constant <value_int = 1> () b = Greater(k, z) y = If (b) <
        then_branch = t () => (float[N,4] o) { n = IsNaN(x) m = Cast <to = 1> (n) o = Add(x, m) },
        else_branch = e () => (float[N,4] p) { p = Neg(x) }> }""",
    )
    found = remedied(path, tmp_path, workers)
    assert found is not None
    (rewrite,) = found.rewrites
    assert rewrite.node == "y/then_branch/n"
    ids = {node.id for node in found.task.model.graph.all_nodes()}
    assert set(rewrite.new) <= ids
    assert rewrite.node in rewrite.new
