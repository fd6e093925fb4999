from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rewrites.proof import assert_remedied, model
from workbench.children.workers import Workers


@pytest.mark.parametrize("attributes", ["", "<exclusive = 1>", "<reverse = 1>", "<exclusive = 1, reverse = 1>"])
@pytest.mark.parametrize("axis", [0, -1])
def test_cumulative_products(attributes: str, axis: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"g (float[3,5] x) => (float[3,5] y) {{ y = CumProd {attributes} (x, a) }}",
        opset=26,
        weights={"a": np.array(axis)},
    )
    assert_remedied(path, workers, "counts/cumulative-product", "compare/where")


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("skips", [0, 2])
def test_n_grams(mode: str, skips: int, workers: Workers, tmp_path: Path) -> None:
    path = model(
        tmp_path,
        f"""g (int64[2,12] x) => (float[2,7] y) {{ k = Mod(x, n) y = TfIdfVectorizer <mode = "{mode}",
            min_gram_length = 1, max_gram_length = 2, max_skip_count = {skips}, ngram_counts = [0, 4],
            ngram_indexes = [0, 1, 2, 3, 4, 5, 6], pool_int64s = [0, 1, 2, 3, 1, 2, 2, 0, 3, 3],
            weights = [1.0, 0.5, 2.0, 1.0, 3.0, 0.25, 1.0]> (k) }}""",
        weights={"n": np.array(4)},
    )
    assert_remedied(path, workers, "counts/n-grams")
