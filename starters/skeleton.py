"""The folder of a new game: small but complete, so that every command works on it from the first minute."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from simcore import yamldump
from simcore.allowed import ID_PATTERN
from simcore.errors import InputError

TEMPLATES = Path(__file__).resolve().parent / "skeleton"
SCENARIO = "scenario.yaml"
ENDING = ".txt"  # a template is no module of ours
LONGEST_NAME = 40


def files(name: str, folder: Path) -> dict[Path, str]:
    """Return the files of a new game called `name`, and of a scenario beside it, to be written into `folder`.

    Raises
    ------
    InputError
        If the name is no id.
    """
    if not re.fullmatch(ID_PATTERN, name) or len(name) > LONGEST_NAME:
        wanted = f"expected small letters, digits and hyphens, a letter first, at most {LONGEST_NAME}"
        plain = "".join(c for c in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(c))
        tame = re.sub(r"[^a-z0-9]+", "-", plain).strip("-0123456789")[:LONGEST_NAME].strip("-")
        raise InputError.of("balance new-game", f"the name '{name}': {wanted}" + (f", such as {tame}" if tame else ""))
    title = name.replace("-", " ").capitalize()
    found = {}
    for template in sorted(TEMPLATES.rglob(f"*{ENDING}")):
        inner = template.relative_to(TEMPLATES).with_suffix("")
        place = Path(f"{name}.yaml") if str(inner) == SCENARIO else Path(name) / inner
        text = template.read_text(encoding="utf-8")
        marks = {"{name}": name, "{name as YAML}": yamldump.dump(name).strip(), "{title}": title}
        for mark, value in marks.items():
            text = text.replace(mark, value)
        found[folder / place] = text
    return found
