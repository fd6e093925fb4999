"""How a graph is sorted into groups."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.graph import models
from workbench.ui.graph.grouping import MAX_CHILDREN
from workbench.ui.graph.hierarchy import ROOT, Hierarchy, build_hierarchy, first_open
from workbench.ui.graph.repeats import find_repeats
from workbench.ui.graph.tree import Kind, Naming


def titles(hierarchy: Hierarchy, item: int = ROOT) -> list[str]:
    return [hierarchy.items[child].title for child in hierarchy.items[item].children]


def named(hierarchy: Hierarchy, title: str) -> int:
    return next(number for number, item in enumerate(hierarchy.items) if item.title == title and item.is_group)


def test_scopes_become_groups_in_the_order_of_the_graph() -> None:
    hierarchy = build_hierarchy(models.silero_like())
    assert titles(hierarchy) == ["input", "state", "stft", "encoder", "decoder", "post", "stateN", "output"] or titles(
        hierarchy
    ) == ["input", "state", "stft", "encoder", "decoder", "post", "output", "stateN"]
    assert hierarchy.items[named(hierarchy, "encoder")].ops == 28


def test_a_group_counts_its_parameters_and_a_shared_weight_once() -> None:
    weights = [models.weight("w", 10, 10), models.weight("v", 5)]
    model = models.graph(
        [
            models.node("/a/Conv", "Conv", ["x", "w"], ["y"]),
            models.node("/a/Conv_1", "Conv", ["y", "w", "v"], ["z"]),
            models.node("/b/Relu", "Relu", ["z"]),
            models.node("/b/Add", "Add", ["z", "w"]),
        ],
        [models.tensor("x", 1)],
        initializers=weights,
    )
    hierarchy = build_hierarchy(model)
    assert hierarchy.items[named(hierarchy, "a")].parameters == 105
    assert hierarchy.items[named(hierarchy, "b")].parameters == 0
    assert hierarchy.items[ROOT].parameters == model.parameters


def test_equal_blocks_are_marked_on_the_group_that_consists_of_them() -> None:
    hierarchy = build_hierarchy(models.silero_like())
    assert hierarchy.items[named(hierarchy, "encoder")].identical == 4
    assert hierarchy.items[named(hierarchy, "decoder")].identical == 0


def test_blocks_of_other_sizes_are_not_identical() -> None:
    nodes, weights = [], []
    value = "x"
    for block, channels in enumerate((16, 32, 64)):
        weights.append(models.weight(f"w{block}", channels, 8))
        nodes.append(models.node(f"/stage/{block}/Conv", "Conv", [value, f"w{block}"]))
        value = nodes[-1].outputs[0]
        nodes.append(models.node(f"/stage/{block}/Relu", "Relu", [value]))
        value = nodes[-1].outputs[0]
    hierarchy = build_hierarchy(models.graph(nodes, [models.tensor("x", 1)], initializers=weights))
    assert not any(item.identical for item in hierarchy.items)


def test_numbered_layers_side_by_side_become_one_stack() -> None:
    hierarchy = build_hierarchy(models.transformer(24))
    stack = hierarchy.items[named(hierarchy, "layers")]
    assert (stack.identical, len(stack.children)) == (24, 24)
    assert hierarchy.items[stack.children[3]].title == "layers.3"


def test_blocks_are_found_where_names_carry_no_scope() -> None:
    hierarchy = build_hierarchy(models.transformer(24, scopes=False))
    stack = next(item for item in hierarchy.items if item.naming is Naming.BLOCKS)
    assert (stack.identical, stack.ops) == (24, 24 * 52)
    assert [hierarchy.items[block].number for block in stack.children[:3]] == [1, 2, 3]


def test_a_long_list_without_repeats_is_cut_into_sections() -> None:
    nodes = [models.node(f"n{i}", f"Op{i % 7}{i * i % 11}{i * i * i % 13}", [f"n{i - 1}_out"]) for i in range(1000)]
    hierarchy = build_hierarchy(models.graph(nodes))
    root = hierarchy.items[ROOT]
    assert len(root.children) <= MAX_CHILDREN
    assert all(hierarchy.items[child].naming is Naming.SECTION for child in root.children)
    assert sum(hierarchy.items[child].ops for child in root.children) == 1000


def test_nodes_that_a_converter_put_into_a_group_without_its_name_belong_to_it() -> None:
    names = ["/m/a/Conv", "Transpose__1", "Cast__2", "/m/b/Conv", "Relu__3", "/m/c/Conv", "Identity__4"]
    nodes = [models.node(name, "Op", [f"v{i}"], [f"v{i + 1}"]) for i, name in enumerate(names)]
    hierarchy = build_hierarchy(models.graph(nodes, [models.tensor("v0", 1)], [models.tensor("v7", 1)]))
    group = named(hierarchy, "m")
    inside = [hierarchy.items[child].detail for child in hierarchy.items[group].children]
    assert inside == ["/m/a/Conv", "Transpose__1", "Cast__2", "/m/b/Conv", "Relu__3", "/m/c/Conv"]
    assert "Identity__4" in [hierarchy.items[child].detail for child in hierarchy.items[ROOT].children]


def test_a_result_of_the_model_that_its_group_reads_again_lies_in_the_group() -> None:
    names = ["/m/a/Conv", "Result__1", "/m/b/Conv", "/m/c/Conv"]
    nodes = [models.node(name, "Op", [f"v{i}"], [f"v{i + 1}"]) for i, name in enumerate(names)]
    outputs = [models.tensor("v2", 1), models.tensor("v4", 1)]
    hierarchy = build_hierarchy(models.graph(nodes, [models.tensor("v0", 1)], outputs))
    assert "Result__1" in [hierarchy.items[n].detail for n in hierarchy.items[named(hierarchy, "m")].children]


def test_constants_that_are_weights_belong_to_their_readers() -> None:
    model = models.graph(
        [
            models.node("", "Constant", [], ["w"]),
            models.node("/a/Conv", "Conv", ["x", "w"], ["y"]),
            models.node("/a/Relu", "Relu", ["y"], ["z"]),
        ],
        [models.tensor("x", 1)],
        initializers=[models.weight("w", 3, 3)],
    )
    hierarchy = build_hierarchy(model)
    assert hierarchy.items[ROOT].ops == 2
    assert hierarchy.items[ROOT].parameters == 9
    assert hierarchy.find("w") == hierarchy.index["y"]
    assert hierarchy.find("no such key") is None


def test_names_of_fused_ops_have_the_scope_of_their_first_part() -> None:
    nodes = [models.node(f"m/a/Relu{i};m/b/Conv{i}", "Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(3)]
    assert titles(build_hierarchy(models.graph(nodes))) == ["m/a"]


def test_chains_of_only_children_are_one_group() -> None:
    model = models.graph([models.node(f"/a/b/c/n{i}", "Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(3)])
    hierarchy = build_hierarchy(model)
    assert titles(hierarchy) == ["a/b/c"]


def test_bodies_of_an_if_lie_inside_it_and_see_values_from_outside() -> None:
    hierarchy = build_hierarchy(models.with_bodies())
    choice = hierarchy.index["choice"]
    assert hierarchy.items[choice].kind is Kind.OP
    assert titles(hierarchy, choice) == ["then_branch", "else_branch"]
    before = hierarchy.index["x"]
    targets = hierarchy.target[hierarchy.edges_from(before)].tolist()
    assert len(targets) == 2
    assert all(choice < target < hierarchy.items[choice].end for target in targets)
    assert [node.op for node in hierarchy.nodes_in(choice)] == ["If", "Relu", "Neg", "Tanh"]


def test_names_that_are_empty_double_or_hostile_give_items_of_their_own() -> None:
    model = models.oddly_named()
    hierarchy = build_hierarchy(model)
    assert sum(item.kind is Kind.OP for item in hierarchy.items) == len(model.nodes)
    assert len(hierarchy.index) == len(hierarchy.items)
    assert max(len(list(hierarchy.around(number))) for number in range(len(hierarchy.items))) <= 24


@pytest.mark.parametrize("count", [0, 1])
def test_tiny_graphs_are_graphs(count: int) -> None:
    hierarchy = build_hierarchy(models.chain(count))
    assert hierarchy.items[ROOT].ops == count


def test_an_output_that_is_an_input_is_wired_to_it() -> None:
    value = models.tensor("x", 1)
    hierarchy = build_hierarchy(models.graph([], [value], [value]))
    assert [item.kind for item in hierarchy.items[1:]] == [Kind.INPUT, Kind.OUTPUT]
    assert (hierarchy.source.tolist(), hierarchy.target.tolist()) == ([1], [2])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 120), st.integers(0, 10_000), st.integers(0, 4))
def test_every_node_and_wire_survives_the_sorting(count: int, seed: int, scopes: int) -> None:
    model = models.random_graph(count, seed, scopes)
    hierarchy = build_hierarchy(model)
    assert [node.id for node in hierarchy.nodes_in(ROOT)].__len__() == count
    assert {node.id for node in hierarchy.nodes_in(ROOT)} == {node.id for node in model.nodes}
    makers = {value: node.id for node in model.nodes for value in node.outputs}
    wanted = sorted((makers[v], n.id) for n in model.nodes for v in n.inputs if v in makers)
    found = sorted(
        (hierarchy.items[a].key, hierarchy.items[b].key)
        for a, b in zip(hierarchy.source.tolist(), hierarchy.target.tolist(), strict=True)
        if hierarchy.items[a].kind is hierarchy.items[b].kind is Kind.OP
    )
    assert found == wanted
    for number, item in enumerate(hierarchy.items):
        assert all(hierarchy.items[child].parent == number for child in item.children)
        assert all(number < child < item.end for child in item.children)


def test_the_first_view_opens_groups_until_it_says_something() -> None:
    hierarchy = build_hierarchy(models.silero_like())
    opened = first_open(hierarchy)
    assert named(hierarchy, "decoder") in opened
    assert named(hierarchy, "encoder") not in opened


def test_fifty_thousand_nodes_begin_collapsed() -> None:
    hierarchy = build_hierarchy(models.transformer(960))
    shown = sum(len(hierarchy.items[group].children) for group in first_open(hierarchy))
    assert hierarchy.items[ROOT].ops > 49_000
    assert shown <= 300


def test_repeats_are_cut_where_fewest_values_cross() -> None:
    labels = [9, *[1, 2, 3, 4] * 5, 8]
    crossing = [0, *[3, 3, 1, 3] * 5, 0]
    found = find_repeats(labels, crossing)
    assert [(repeat.start, repeat.period, repeat.count) for repeat in found] == [(3, 4, 4)]


def test_two_repeats_in_a_row_are_both_found() -> None:
    labels = [*[1, 2, 3, 4, 5] * 8, *[6, 7, 8] * 4]
    found = find_repeats(labels, [1] * len(labels))
    assert [(repeat.period, repeat.count) for repeat in found] == [(5, 8), (3, 4)]


def test_no_repeat_is_found_where_there_is_none() -> None:
    assert find_repeats(list(range(50)), [1] * 50) == []
    assert find_repeats([], []) == []
