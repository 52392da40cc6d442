"""JSON records that people or scripts write: of a key that stands there twice nobody can say which one counts."""

from guards.source.json_tree import Value, parse_json


def repeated_key(raw: bytes) -> str:
    """The first key that an object has twice; empty where none has, or the text is no JSON."""
    root = parse_json(raw).root
    open_: list[Value] = [root] if root is not None else []
    while open_:
        value = open_.pop()
        known: set[str] = set()
        for member in value.members:
            if member.key in known:
                return member.key
            known.add(member.key)
        open_.extend(member.value for member in value.members)
        open_.extend(value.items)
    return ""
