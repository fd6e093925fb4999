"""Models in public use, the whole way over the real adb; and those that must be a no.

What is converted is also judged at a size in use by a runner that shares no code with the workbench.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from tests.cases.independent import TOLERANCE, judged_in
from tests.end_to_end.command import Ended, Workbench
from tests.end_to_end.phones import Handset
from tests.real_models import real_model
from workbench.core import codec
from workbench.core.artifact import OpNode
from workbench.core.op import Op
from workbench.core.protocol import Finished, Hello, Loaded, Sample, format_event, parse_event
from workbench.core.run import RunOutputs
from workbench.core.summary import summarise

ITERATIONS = 10
RANDOM = np.random.default_rng(7)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


FEEDS = {
    "ppocr_det": {"x": normal(1, 3, 320, 480)},
    "ppocr_rec": {"x": normal(2, 3, 48, 320)},
    "ppocr_cls": {"x": normal(1, 3, 48, 192)},
    "silero_vad": {"input": 0.1 * normal(1, 576), "state": normal(2, 1, 128), "sr": np.array(16000)},
    "basic_pitch": {"serving_default_input_2:0": 0.3 * normal(1, 43844, 1)},
}
CONDITIONS = {
    "ppocr_det": [],
    "ppocr_rec": [],
    "ppocr_cls": [],
    "silero_vad": ["path=module"],
    "basic_pitch": [],
}
REASONS = {
    "magika": ("wrong", "jax2tf_get_logits_/pjit_get_logits_/MagikaV2/ApplyActivation_1/AddV2_1:0", "target_label"),
    "silero_vad_16k_sequence": ("wrong", "/recurrent/LSTM_output_0", "sequence for the batch"),
    "ddddocr_old": ("unsupported", None, "ConvInteger"),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_model_in_use_goes_the_whole_way(name: str, workbench: Workbench, phone: Handset, tmp_path: Path) -> None:
    checked = workbench("check", real_model(name), "--json")
    assert checked.code == 0, checked.out
    assert checked.document["verdict"] == ("ok_with_condition" if CONDITIONS[name] else "ok")
    converted = workbench("convert", real_model(name), "-o", "m.mnn", "--json")
    assert converted.code == 0, converted.out
    assert converted.document["conditions"] == CONDITIONS[name]
    assert converted.document["verification"]["engine"]["inputs"] >= 9
    assert converted.document["verification"]["engine"]["sizes"] == 2
    assert {file.name for file in tmp_path.glob("m.mnn*")} == {"m.mnn", "m.mnn.json", "m.mnn.witness.npz"}
    answer = judged_in(
        case_folder(tmp_path / "case", real_model(name), FEEDS[name]), tmp_path / "m.mnn", CONDITIONS[name]
    )
    assert answer["fault"] == ""
    assert float(str(answer["error"])) <= TOLERANCE
    words = ("--ops", "--save", "run.jsonl", "--iterations", ITERATIONS, "--device", phone.serial, "--json")
    ran = workbench("run", "m.mnn", *map(str, words))
    assert ran.code == 0, ran.out
    assert_measured(ran, name)
    assert_events_tell_the_same(tmp_path / "run.jsonl", ran)
    phone.assert_at_rest()


def case_folder(folder: Path, source: Path, feeds: dict[str, np.ndarray]) -> Path:
    """Inputs and onnxruntime's outputs, as the independent judge reads them."""
    folder.mkdir()
    session = onnxruntime.InferenceSession(source, providers=["CPUExecutionProvider"])
    outputs = [output.name for output in session.get_outputs()]
    np.savez(folder / "inputs.npz", **{f"in{number}": array for number, array in enumerate(feeds.values())})
    expected = session.run(outputs, feeds)
    np.savez(folder / "expected.npz", **{f"out{number}": array for number, array in enumerate(expected)})
    (folder / "names.json").write_text(json.dumps({"inputs": list(feeds), "outputs": outputs}))
    return folder


def assert_right_by_another_runner(converted: Path, name: str, folder: Path) -> None:
    case = case_folder(folder, real_model(name), FEEDS[name])
    answer = judged_in(case, converted, tuple(CONDITIONS[name]))
    assert answer["fault"] == ""
    assert float(str(answer["error"])) <= TOLERANCE


def assert_measured(ran: Ended, name: str) -> None:
    document = ran.document
    assert document["outputs"]["right"] is True
    assert document["outputs"]["max_rel_error"] <= 2e-3
    assert document["latency_ms"]["n"] == ITERATIONS
    assert 0 < document["latency_ms"]["p50"] <= document["latency_ms"]["p90"] <= document["latency_ms"]["p99"]
    assert document["memory"]["peak_kb"] > document["memory"]["baseline_kb"] > 0
    assert all(first > 0 < highest for first, _, highest in document["temperature"].values())
    assert "battery" in document["temperature"]
    assert len(document["ops"]) > 20
    assert document["dropped"] == 0
    assert document["actual"]["engine"] == "3.6.1"
    assert document["actual"]["path"] == ("module" if CONDITIONS[name] else "session")


def assert_events_tell_the_same(saved: Path, ran: Ended) -> None:
    """The raw events parse one by one, are written back as they were, and give the summary that was printed."""
    lines = saved.read_text(encoding="utf-8").splitlines()
    events = [parse_event(line, where=str(saved)) for line in lines]
    assert [parse_event(format_event(event), where="again") for event in events] == events
    assert [type(events[0]), type(events[-1])] == [Hello, Finished]
    assert sum(isinstance(event, Loaded) for event in events) == 1
    assert sum(isinstance(event, Sample) and event.phase == "steady" for event in events) == ITERATIONS
    printed = ran.document
    assert sum(isinstance(event, Op) for event in events) == len(printed["ops"])
    outputs = RunOutputs(printed["outputs"]["max_rel_error"], printed["outputs"]["right"])
    # Which node an operator comes from is told by the artifact's record, not by the agent.
    nodes = {op["name"]: OpNode(op["node"], op["node_name"]) for op in printed["ops"] if op["node"] is not None}
    assert len(nodes) > len(printed["ops"]) / 2
    told = summarise(events, outputs, requested=printed["requested"], nodes=nodes)
    again = codec.document(printed["schema"], told)
    for key in ("load_ms", "first_ms", "latency_ms", "memory", "temperature", "ops", "dropped", "warnings"):
        assert again[key] == printed[key], key


@pytest.mark.parametrize("name", REASONS)
def test_a_model_that_cannot_be_right_is_a_no_with_node_and_reason(
    name: str, workbench: Workbench, tmp_path: Path
) -> None:
    verdict, node, reason = REASONS[name]
    ended = workbench("convert", real_model(name), "-o", "m.mnn", "--json")
    assert (ended.code, ended.err) == (1, "")
    document = ended.document
    assert (document["ok"], document["artifact"], document["verdict"]) == (False, None, verdict)
    assert reason in document["reason"]
    if node is not None:
        assert document["verification"]["first_diverging_node"] == node
    assert list(tmp_path.glob("m.mnn*")) == []
    assert list((tmp_path / "tmp").iterdir()) == []
