"""Constructs that Godot accepts and the grammar is known not to read: they are no syntax errors.

They hold for tree-sitter-gdscript 6.1.0; a newer grammar that reads one leaves no region to look in.
"""

import re

# Repeats have bounds where a hostile line could make them costly.
_GAP = re.compile(
    r"""
      ^[ \t]*@\w+(?:\([^)\n]*\))?[ \t]+(?:@\w+(?:\([^)\n]*\))?[ \t]+)*extends\b  # @tool extends Node
    | ^[ \t]*@\w+(?:\([^)\n]*\))?\s*\n\s*(?:signal|const)\b                      # above a signal of an inner class
    | ^[ \t]*@warning_ignore\([^)\n]*\)[ \t]+[^@\s\#]                            # before a statement, on its line
    | \bfunc\b[ \t]*\w*[ \t]*\([^\n]{0,200}\)[ \t]*(?:->[ \t]*[\w.\[\],]{1,60}[ \t]*)?
        :[ \t]*(?:if|for|while|match)\b                                          # func(): if c: f()
    | ^[ \t]*(?:else|(?:elif|if|for|while)\b[^\n]*):[ \t]*(?:if|for|while|match)\b  # else: if c: f()
    | ^[ \t]*(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|[\w.]+)(?:[ \t]*,[^:\n]*)?
        :[ \t]*(?:if|for|while)\b                                                # 1: if c: f()
    | \$%\w | (?<![\w)\]])[ \t]%\w+/%?\w | \$\w+/["'%]                          # $%Name, %A/%B, $A/"B c"
    | (?:^|[{,])[ \t]*"(?:\\.|[^"\\\n])*"[ \t]*=[^=]                            # {"key" = value}
    | ^[ \t]*enum\b[ \t]*\w*[ \t]*\{\s*\}                                        # enum X {}
    | ^[ \t]*enum\b[^}]{0,500}?\bif\b                                           # enum X { A = 1 if c else 2 }
    | ^[ \t]*@abstract[ \t]+(?:static[ \t]+)?func\b[^\n]*;                       # @abstract func a();
    | \b(?:export|remote|master|puppet|sync|remotesync|mastersync|puppetsync|onready|setget|tool)[ \t]*\(
    | \bawait[ \t]+func\b
    """,
    re.VERBOSE | re.MULTILINE,
)


def known_gap(lines: str) -> int | None:
    """Where some lines hold a construct that the grammar is known not to read."""
    found = _GAP.search(lines)
    return found.start() if found is not None else None
