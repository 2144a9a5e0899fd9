"""All kinds of rivals. A new one has a file of its own and a place here."""

from __future__ import annotations

from typing import Final

from fastedit.sketch.rivals.amid import AMID_NEW
from fastedit.sketch.rivals.base import Kind, Sign
from fastedit.sketch.rivals.elsewhere import ELSEWHERE
from fastedit.sketch.rivals.headings import HEADINGS
from fastedit.sketch.rivals.homes import HOMES
from fastedit.sketch.rivals.idle import IDLE
from fastedit.sketch.rivals.notes import NOTES
from fastedit.sketch.rivals.omitted import OMISSIONS
from fastedit.sketch.rivals.ousted import OUSTED
from fastedit.sketch.rivals.replaced import REPLACED
from fastedit.sketch.rivals.siblings import SIBLINGS
from fastedit.sketch.rivals.swapped import SWAPPED
from fastedit.sketch.rivals.tops import TOPS
from fastedit.sketch.rivals.twins import TWINS
from fastedit.sketch.rivals.versions import VERSIONS

# Which of two is likelier by its lines is a sign, whose weight is fitted.
BY_LINES: Final = (SIBLINGS, VERSIONS, HOMES, TOPS, TWINS, REPLACED)
# Which of two is likelier by its lines tells nothing.
EVEN: Final = (IDLE, AMID_NEW, ELSEWHERE, SWAPPED, HEADINGS, OMISSIONS, OUSTED)
KINDS: Final[tuple[Kind, ...]] = (*BY_LINES, *EVEN, NOTES)
SIGNS: Final[dict[str, Sign]] = {sign.name: sign for kind in KINDS for sign in kind.signs}
