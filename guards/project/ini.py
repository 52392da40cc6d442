"""Files in the dialect of ``pytest.ini``, ``tox.ini`` and ``setup.cfg``, read as pytest reads them."""

from collections.abc import Mapping

_COMMENT = ("#", ";")


def parse_ini(text: str) -> Mapping[str, Mapping[str, str]]:
    """The values of each section by name; continued values keep their line breaks.

    A value goes on in indented lines, a comment is a line of its own, and nothing is
    interpolated. Lines that are neither are left out, and so is what stands before the first
    section; of two values of one name the first holds.
    """
    sections: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] | None = None
    value: list[str] | None = None
    for raw in text.splitlines():
        line = raw.rstrip()
        if not line or line.lstrip().startswith(_COMMENT):
            continue
        if line[0].isspace():
            if value is not None:
                value.append(line.strip())
        elif (name := _section(line)) is not None:
            section, value = sections.setdefault(name, {}), None
        else:
            key, separator, first = _split(line)
            value = [first] if first else []
            if separator and section is not None:
                section.setdefault(key, value)
    return {name: {key: "\n".join(lines) for key, lines in values.items()} for name, values in sections.items()}


def _section(line: str) -> str | None:
    if not line.startswith("["):
        return None
    head = line.partition("#")[0].partition(";")[0].rstrip()
    return head[1:-1] if head.endswith("]") else None


def _split(line: str) -> tuple[str, str, str]:
    separator = "="
    if ":" in line.partition("=")[0] or "=" not in line:
        separator = ":"
    key, found, value = line.partition(separator)
    return key.strip(), found, value.strip()
