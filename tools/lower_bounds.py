"""Prints the lowest allowed release of every dependency, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)")


def main() -> None:
    """Prints one constraint a line."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for requirement in (*project["dependencies"], *(r for name in extras if name != "all" for r in extras[name])):
        found = REQUIREMENT.match(requirement)
        if found is None:
            raise SystemExit(f"{requirement} has no lower bound")
        sys.stdout.write(f"{found['name']}=={found['version']}\n")


if __name__ == "__main__":
    main()
