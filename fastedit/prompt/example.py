"""What a base model goes on with, as text: the file, the instruction, the lines before and, begun, those after it.

An edit of another file stands in front, so that the model sees what follows from an instruction.
"""

from __future__ import annotations

from typing import Final

from fastedit.prompt.base import RegionTask
from fastedit.prompt.tagged import update_text
from fastedit.source.fences import mark_around

EXAMPLE: Final = """\
# Edits of code

Each edit changes what its instruction asks for and keeps all other lines as they are.

## Edit 1

Instruction: greet should shout

Before:
```python
def greet(name):
    print(f"hello {name}")
```

After:
```python
def greet(name):
    print(f"HELLO {name}!")
```

## Edit 2
"""


def completion_text(task: RegionTask) -> str:
    """The text up to the region's new lines."""
    mark, language = fence(task), "" if task.language == "text" else task.language
    update = update_text(task)
    parts = [
        EXAMPLE,
        f"{task.about}\n" if task.about else "",
        f"Instruction: {task.instruction}\n" if task.instruction else "",
        f"The change, with `...` for code that stays:\n{mark}{language}\n{update}\n{mark}\n"
        if update
        else "",
        f"Before:\n{mark}{language}\n" + "".join(f"{line}\n" for line in task.lines) + f"{mark}\n",
        f"After:\n{mark}{language}\n",
    ]
    return "\n".join(part for part in parts if part)


def fence(task: RegionTask) -> str:
    """The mark of a code fence that neither the region nor what is to become of it holds."""
    return mark_around("\n".join((*task.lines, update_text(task), task.instruction or "")))
