"""A scope: a part of a file with names of its own."""

from guards.languages.syntax import Node

MODULE, FUNCTION, CLASS_BODY, LAMBDA, COMPREHENSION = "module", "function", "class", "lambda", "comprehension"


class Scope:
    """The range of a module, of the body of a function, class or lambda, or of a comprehension.

    ``path`` is the dotted name inside of the file. ``binders`` are the nodes that bind names in
    it, ``outer`` the names that it declares global or nonlocal. ``names`` and ``parameters``
    (each with its annotation) are filled when somebody asks for a name.
    """

    __slots__ = ("binders", "body", "end", "kind", "names", "node", "outer", "parameters", "parent", "path", "start")

    def __init__(self, kind: str, node: Node, body: Node, parent: "Scope | None", path: str) -> None:
        self.kind = kind
        self.node = node
        self.body = body
        self.start = body.start_byte
        self.end = body.end_byte
        self.parent = parent
        self.path = path
        self.binders: list[Node] = []
        self.outer: dict[str, str] = {}
        self.names: dict[str, list[Node]] | None = None
        self.parameters: dict[str, Node | None] = {}

    def function(self) -> "Scope | None":
        """The innermost named function that this is or lies in."""
        scope: Scope | None = self
        while scope is not None and scope.kind != FUNCTION:
            scope = scope.parent
        return scope
