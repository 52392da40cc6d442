"""Writes what is generated from the rules: the rule table, the presets module, rule pages, the schema.

``python tools/generate.py`` writes, ``python tools/generate.py --check`` fails where a file would change.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

from guards.config.catalogue import Catalogue, RuleEntry
from guards.config.presets import compile_presets
from guards.config.schema import schema
from guards.engine.pages import Pages
from guards.rule import Rule

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "rules"
PAGES = ROOT / "docs" / "rules"
LONGEST_DIFF = 40
FOLDERS = ("csharp", "gdscript", "project", "python")
TABLE_HEAD = '''"""Generated from the rule modules by tools/generate.py; do not edit."""

from guards.config.catalogue import Catalogue, Option, RuleEntry

CATALOGUE = Catalogue((
'''


def rule_modules() -> Iterator[str]:
    """The names of all rule modules, sorted."""
    for folder in FOLDERS:
        for path in sorted((RULES / folder).glob("[!_]*.py")):
            yield f"guards.rules.{folder}.{path.stem}"


def rule_in(module: str) -> type[Rule[object]]:
    """The one rule class that a module defines."""
    defined = [
        value
        for value in vars(import_module(module)).values()
        if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module
    ]
    if len(defined) != 1:
        raise SystemExit(f"{module} must define one rule, not {len(defined)}")
    return defined[0]


def entry(module: str) -> RuleEntry:
    """What the table says of one rule."""
    rule = rule_in(module)
    return RuleEntry(
        name=rule.name,
        code=rule.code,
        language=rule.language,
        module=module,
        class_name=rule.__name__,
        severity=rule.severity,
        summary=(import_module(module).__doc__ or "").partition("\n")[0],
        confidence=rule.confidence,
        roles=rule.roles,
        needs=rule.needs,
        triggers=rule.triggers,
        related_places=rule.related_places,
        options=tuple(sorted(rule.options.items())),
        aliases=rule.aliases,
    )


def table(catalogue: Catalogue) -> str:
    """The text of ``rules/_table.py``."""
    rows = "".join(f"    {found!r},\n" for found in catalogue.entries)
    return formatted(f"{TABLE_HEAD}{rows}))\n")


def formatted(module: str) -> str:
    """A module's text as ``ruff format`` leaves it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "rules/_table.py", "-"]
    done = subprocess.run(command, cwd=ROOT, input=module.encode(), stdout=subprocess.PIPE, check=True)  # noqa: S603 a fixed command
    return done.stdout.decode()


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    presets = {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in (RULES / "presets").glob("*.toml")
    }
    catalogue = Catalogue(tuple(sorted(map(entry, rule_modules()), key=lambda found: found.code)), presets)
    pages = Pages(catalogue)
    return {
        RULES / "_table.py": table(catalogue),
        RULES / "_presets.py": compile_presets(str(RULES / "presets")),
        ROOT / "docs" / "suiteguard.schema.json": json.dumps(schema(catalogue), indent=2, ensure_ascii=False) + "\n",
        PAGES / "index.md": pages.index(),
        **{PAGES / f"{name}.md": pages.page(name) for name in pages.names()},
    }


def differences(texts: dict[Path, str]) -> Iterator[tuple[Path, bytes | None]]:
    """The files that are not as they should be, each with what it should hold; None for one too many."""
    for path, text in texts.items():
        if not path.exists() or path.read_bytes() != text.encode():
            yield path, text.encode()
    yield from ((path, None) for path in sorted(PAGES.glob("*.md")) if path not in texts)


def write(path: Path, data: bytes | None) -> None:
    """Makes a file hold what it should; LF line ends on every platform."""
    if data is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def describe(path: Path, data: bytes | None) -> str:
    """What differs, at a length that a terminal can take."""
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    new = data.decode().splitlines() if data is not None else []
    name = path.relative_to(ROOT).as_posix()
    lines = list(unified_diff(old, new, f"{name} as it is", f"{name} as generated", lineterm="", n=1))
    more = [f"... and {len(lines) - LONGEST_DIFF} more lines"] if len(lines) > LONGEST_DIFF else []
    return "\n".join((*lines[:LONGEST_DIFF], *more)) + "\n"


def main() -> int:
    """Writes or checks; the exit code says whether something would change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a file would change, and write nothing")
    check = parser.parse_args().check
    stale = list(differences(generated()))
    for path, data in stale:
        if check:
            sys.stdout.write(describe(path, data))
        else:
            write(path, data)
            sys.stdout.write(f"{'wrote' if data is not None else 'removed'} {path.relative_to(ROOT).as_posix()}\n")
    if check and stale:
        sys.stdout.write("Generated files are not up to date; run `make generate`.\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
