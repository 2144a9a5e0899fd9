"""requirements.txt and its kind: what pip installs, a line each."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="requirements",
    file_name=re.compile(r"(?:.+[-_.])?(?:requirements|constraints)(?:[-_.].+)?\.(?:txt|in)"),
    comment=("#", ""),
    keys=Keys(
        reader="dependency:Requirements",
        editable=False,
        lists=False,
        dependencies=("#",),
        folds_names=True,
    ),
)
