"""The language a person reads: gettext catalogues in ``resources/locale``."""

from __future__ import annotations

import gettext
import locale
import os
from typing import Final

from workbench.core.messages import Translate
from workbench.core.places import resources

LANGUAGES: Final = {"en": "English", "zh_CN": "简体中文"}
"""By gettext's codes, each in its own words."""
_DOMAIN: Final = "workbench"


def system_language() -> str:
    """The language of the environment, if there is a catalogue for it, else English."""
    for name in ("WORKBENCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return _known(value)
    return _known(locale.getlocale()[0] or "en")


def translator(language: str) -> Translate:
    """The look-up for Message.render and the window's texts. An unknown language reads English."""
    return gettext.translation(_DOMAIN, resources() / "locale", languages=[language], fallback=True).gettext


def _known(value: str) -> str:
    return "zh_CN" if value.lower().startswith("zh") else "en"
