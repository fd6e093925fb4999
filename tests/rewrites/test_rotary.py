from __future__ import annotations

from pathlib import Path

import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize(
    "attributes", ["", "interleaved = 1", "rotary_embedding_dim = 4", "interleaved = 1, rotary_embedding_dim = 4"]
)
@pytest.mark.parametrize("sizes", ["2,3,5,8", "2,5,24"])
def test_rotary_embeddings(attributes: str, sizes: str, workers: Workers, tmp_path: Path) -> None:
    half = 2 if "dim" in attributes else 4
    words = ", ".join(filter(None, ["num_heads = 3" if len(sizes) == 6 else "", attributes]))
    attributes = f"<{words}>" if words else ""
    path = model(
        tmp_path,
        f"""g (float[{sizes}] x, float[2,5,{half}] c, float[2,5,{half}] s) => (float[{sizes}] y)
        {{ y = RotaryEmbedding {attributes} (x, c, s) }}""",
        opset=23,
    )
    assert_remedied(path, workers, "rotary/embedding")


def test_rotary_embeddings_by_position(workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        """g (float[N,2,M,8] x, float[50,4] c, float[50,4] s, float[N,M,50] p) => (float[N,2,M,8] y)
        { i = ArgMax <axis = 2, keepdims = 0> (p) y = RotaryEmbedding (x, c, s, i) }""",
        opset=23,
    )
    assert_remedied(path, workers, "rotary/embedding")
