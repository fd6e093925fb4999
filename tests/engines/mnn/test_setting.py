"""How the engine runs a model, written as an artifact's conditions and read again."""

from __future__ import annotations

import pytest

from workbench.engines.mnn.run import MODULE, SESSION, Setting


@pytest.mark.parametrize("path", [MODULE, SESSION])
@pytest.mark.parametrize("winograd", [True, False])
def test_a_setting_is_kept_by_its_conditions(path: str, winograd: bool) -> None:
    setting = Setting(path, winograd)
    assert Setting.kept(setting.conditions) == setting


def test_the_module_path_may_be_a_condition() -> None:
    assert Setting.kept(("path=module", "winograd=off")) == Setting(MODULE, winograd=False)
