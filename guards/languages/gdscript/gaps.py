"""Constructs that Godot accepts and the grammar is known not to read: they are no syntax errors."""

import re

# One pattern a construct, looked for in the lines of a region that did not parse. They hold
# for tree-sitter-gdscript 6.1.0; a newer grammar that reads one leaves no region to look in.
_GAPS = re.compile(
    r"""
      ^\s*@\w+(?:\([^)\n]*\))?\s+(?:extends|class_name)\b      # @tool extends Node
    | ^\s*@\w+(?:\([^)\n]*\))?\s*\n\s*signal\b                 # an annotation above a signal of an inner class
    | ^\s*@\w+(?:\([^)\n]*\))?\s+\S.*\n\s*@\w+                  # an annotated statement, then another one
    | func\s*\w*\([^)\n]*\)[^:\n]*:\s*(?:if|for|while|match)\b  # a lambda with a statement on its line
    | ^\s*(?:else|[^\n]*[^\s:]):\s*(?:if|for|while)\b           # a branch with a statement on its line
    | [$%]%?\w+\s*/\s*%\w+ | \$%\w                              # $%Name, %A/%B
    | [{,]\s*"[^"\n]*"\s*=[^=]                                  # {"key" = value}
    | ^\s*enum\s+\w*\s*\{\s*\}                                  # enum X {}
    | ^\s*enum\b[^\n]*\bif\b | ^\s*\w+\s*=\s*[^\n]*\bif\b[^\n]*\belse\b
    | ^\s*@abstract\s+func\b[^\n]*(?:;|@abstract)
    | ^\s*(?:static\s+)?func\s+(?:export|remote|master|puppet|sync|tool|onready|setget)\s*\(
    | await\s+func\b
    """,
    re.VERBOSE | re.MULTILINE,
)
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')


def is_known_gap(lines: str) -> bool:
    """Whether the lines of an unread region hold a construct that the grammar is known not to read."""
    if _GAPS.search(lines):
        return True
    # Identifiers may have letters of any script; outside of text and comments only they do.
    return any(character.isalpha() and not character.isascii() for character in _TEXT.sub("", lines))
