"""Patches by ``unittest.mock`` in test functions, rewritten to pytest-mock's ``mocker``.

A ``with`` block or a decorator that injects nothing becomes a statement; ``mocker`` undoes it at the end of the test.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import libcst as cst

from guards.languages.python.rewriting import Source, dotted, root_name
from guards.source.edits import Edit

_MODULES = frozenset({"mock", "unittest.mock"})
_PATCHERS = frozenset({"patch", "patch.object", "patch.dict", "patch.multiple"})
_MARK = re.compile(r"pytest\.mark\.\w+")
_MOCKER = "mocker"
_BEFORE_ITEMS, _BETWEEN_ITEMS = re.compile(rb"with[\s(\\]*"), re.compile(rb"[\s,\\]*")
_BEHIND_ITEMS = re.compile(rb"[\s,)\\]*:")
# Where a value may stand that two runs of a test would share.
_CALLS = (cst.Call, cst.Await)

Import = cst.Import | cst.ImportFrom


class Rewritten(NamedTuple):
    """Edits, and whether the test means exactly what it meant."""

    edits: tuple[Edit, ...]
    exact: bool


class _Bound(NamedTuple):
    """A name that an import binds; with what stands behind it, ``prefix`` taken off, it names a part of the module."""

    alias: cst.ImportAlias
    name: str
    prefix: str
    meaning: str

    def tail(self, node: cst.CSTNode) -> str:
        """What of ``unittest.mock`` an expression names; empty for anything else."""
        written = dotted(node)
        if written != self.prefix and not written.startswith(f"{self.prefix}."):
            return ""
        rest = written[len(self.prefix) :].lstrip(".")
        return ".".join(filter(None, (self.meaning, rest)))


class _Site(NamedTuple):
    """A patch that can be rewritten: its edits, the names in it that are gone then, and whether it is exact."""

    edits: tuple[Edit, ...]
    used: tuple[cst.Name, ...]
    exact: bool


class Mocker:
    """The patches of one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._nodes = list(source.nodes_in(source.module))
        imports = (node for node in self._nodes if isinstance(node, cst.Import | cst.ImportFrom))
        self._imports = sorted(((*source.span(node), node) for node in imports), key=itemgetter(0))

    def rewrite(self, offset: int) -> Rewritten | None:
        """What becomes of the patches that the import at an offset serves.

        Those that keep their exact meaning come first, alone; None where there is nothing to rewrite.
        """
        statement = self._import_at(offset)
        if statement is None:
            return None
        edits: list[Edit] = []
        exact = True
        for bound in _bound(statement):
            sites = self._sites(bound, statement)
            best = [site for site in sites if site.exact] or sites
            if best:
                exact = exact and all(site.exact for site in best)
                edits += [edit for site in best for edit in site.edits]
                edits += self._without(statement, bound, {id(name) for site in best for name in site.used})
        return Rewritten(tuple(sorted(set(edits))), exact) if edits else None

    def _import_at(self, offset: int) -> Import | None:
        position = bisect_right(self._imports, offset, key=itemgetter(0)) - 1
        if position < 0:
            return None
        _, end, node = self._imports[position]
        return node if offset < end else None

    def _uses(self, bound: _Bound, statement: Import) -> list[cst.Name] | None:
        """The names that mean what is imported; None where something else binds the name as well."""
        uses = []
        own = {id(node) for node in self._source.nodes_in(statement)}
        if any(node is not statement and _binds(node, bound.name) for _, _, node in self._imports):
            return None
        for node in self._nodes:
            if isinstance(node, cst.Name) and node.value == bound.name and id(node) not in own:
                if self._source.binds(node):
                    return None
                parent = self._source.parent(node)
                is_other = (isinstance(parent, cst.Attribute) and parent.attr is node) or (
                    isinstance(parent, cst.Arg) and parent.keyword is node
                )
                if not is_other:
                    uses.append(node)
        return uses

    def _sites(self, bound: _Bound, statement: Import) -> list[_Site]:
        uses = self._uses(bound, statement)
        if not uses or not self._is_at_top(statement):
            return []
        return [site for function in self._tests() for site in _Function(self._source, function, bound).sites()]

    def _is_at_top(self, statement: Import) -> bool:
        line = self._source.parent(statement)
        return line is not None and self._source.parent(line) is self._source.module

    def _tests(self) -> Iterator[cst.FunctionDef]:
        """The test functions at the top of the file and in plain classes, as far as nobody else calls them."""
        names = {node.value for node in self._nodes if isinstance(node, cst.Name) and not self._source.binds(node)}
        attributes = {node.attr.value for node in self._nodes if isinstance(node, cst.Attribute)}
        for statement in self._source.module.body:
            if isinstance(statement, cst.FunctionDef):
                own = [statement]
            elif isinstance(statement, cst.ClassDef) and _is_plain(statement):
                own = [inner for inner in statement.body.body if isinstance(inner, cst.FunctionDef)]
            else:
                continue
            for function in own:
                name = function.name.value
                if name.startswith("test") and name not in names and name not in attributes:
                    yield function

    def _without(self, statement: Import, bound: _Bound, used: set[int]) -> Iterator[Edit]:
        """The edit that takes the name out of the import, where nothing else uses it."""
        uses = self._uses(bound, statement)
        line = self._source.parent(statement)
        if uses is None or any(id(name) not in used for name in uses) or not isinstance(line, cst.SimpleStatementLine):
            return
        aliases = list(statement.names) if not isinstance(statement.names, cst.ImportStar) else []
        start, end = self._source.span(statement)
        if len(aliases) > 1:
            yield from self._without_alias(aliases, bound.alias)
        elif len(line.body) == 1:
            yield Edit(self._source.line_start(start), self._behind_blank_lines(start, self._source.next_line(end)), "")

    def _behind_blank_lines(self, start: int, end: int) -> int:
        """The end, or, where the first line of the file goes, what follows the blank lines behind it."""
        data = self._source.data
        while not data[:start].strip() and end < len(data) and not data[end : self._source.next_line(end)].strip():
            end = self._source.next_line(end)
        return end

    def _without_alias(self, aliases: Sequence[cst.ImportAlias], alias: cst.ImportAlias) -> Iterator[Edit]:
        position = next(number for number, other in enumerate(aliases) if other is alias)
        if position + 1 < len(aliases):
            start, end = self._source.span(alias)[0], self._source.span(aliases[position + 1])[0]
        else:
            start, end = self._source.span(aliases[position - 1])[1], self._source.span(alias)[1]
        if b"#" not in self._source.data[start:end]:
            yield Edit(start, end, "")


class _Function:
    """One test function, and the patches in it that one import serves."""

    def __init__(self, source: Source, function: cst.FunctionDef, bound: _Bound) -> None:
        self._source = source
        self._function = function
        self._bound = bound

    def sites(self) -> Iterator[_Site]:
        """The patches that can be rewritten; none in a function that cannot take the fixture."""
        body = self._function.body
        if not isinstance(body, cst.IndentedBlock):
            return
        decorators = list(self._decorators())
        found = [site for statement in body.body if (site := self._block(statement, last=statement is body.body[-1]))]
        found += self._decorated(decorators, body) if decorators else ()
        parameter = self._parameter()
        if not found or parameter is None or not self._is_fit(decorators):
            return
        for site in found:
            yield site._replace(edits=(*site.edits, *parameter))

    def _decorators(self) -> Iterator[cst.Decorator]:
        """The decorators that patch."""
        for decorator in self._function.decorators:
            call = decorator.decorator
            if isinstance(call, cst.Call) and self._is_patch(call):
                yield decorator

    def _is_patch(self, call: cst.Call) -> bool:
        is_plain = not (call.lpar or (isinstance(call.func, cst.Name | cst.Attribute) and call.func.lpar))
        return is_plain and self._bound.tail(call.func) in _PATCHERS

    def _is_fit(self, patching: Sequence[cst.Decorator]) -> bool:
        """Whether a parameter more is filled in: no decorator is unknown, none injects, and the name is free."""
        for decorator in self._function.decorators:
            written = decorator.decorator
            name = dotted(written.func if isinstance(written, cst.Call) else written)
            if decorator not in patching and not _MARK.fullmatch(name):
                return False
            if decorator in patching and not (isinstance(written, cst.Call) and not self._injects(written)):
                return False
        return self._has_mocker() or not any(
            isinstance(node, cst.Name) and node.value == _MOCKER for node in self._source.nodes_in(self._function)
        )

    def _injects(self, call: cst.Call) -> bool:
        """Whether a decorator hands its double to the function."""
        form = self._bound.tail(call.func)
        if form == "patch.dict":
            return False
        keywords = {argument.keyword.value for argument in call.args if argument.keyword is not None}
        positional = [argument for argument in call.args if argument.keyword is None]
        defaults = any(isinstance(node, cst.Name) and node.value == "DEFAULT" for node in self._source.nodes_in(call))
        if defaults or any(argument.star for argument in call.args):
            return True
        if form == "patch.multiple":
            return "new_callable" in keywords
        return "new" not in keywords and len(positional) < (2 if form == "patch" else 3)

    def _has_mocker(self) -> bool:
        return any(parameter.name.value == _MOCKER for parameter in self._function.params.params)

    def _parameter(self) -> tuple[Edit, ...] | None:
        """The edit that adds the fixture, none where it is there; None where that is not plain."""
        parameters = self._function.params
        if self._has_mocker():
            return ()
        star = parameters.star_arg
        others = (*parameters.posonly_params, *parameters.kwonly_params, parameters.star_kwarg)
        if any(others) or isinstance(star, cst.Param | cst.ParamStar) or self._function.type_parameters:
            return None
        if any(parameter.default is not None for parameter in parameters.params):
            return None
        if parameters.params:
            last = parameters.params[-1]
            if last.annotation and last.annotation.annotation.lpar:
                return None
            start, end = self._source.span(last)
            if last.annotation:
                end = self._source.span(last.annotation.annotation)[1]
            indentation = self._source.indentation(start)
            space = " " if indentation is None else f"{self._source.line_end(start)}{indentation}"
            return (Edit(end, end, f",{space}{_MOCKER}"),)
        end = self._source.data.index(b"(", self._source.span(self._function.name)[1]) + 1
        return (Edit(end, end, _MOCKER),)

    def _block(self, statement: cst.CSTNode, *, last: bool) -> _Site | None:
        """A ``with`` whose first items patch, as statements and what is left of it."""
        if not isinstance(statement, cst.With) or statement.asynchronous is not None:
            return None
        patching = []
        for item in statement.items:
            if not (isinstance(item.item, cst.Call) and self._is_patch(item.item)):
                break
            patching.append(item)
        header = self._header(statement)
        if not patching or header is None or not isinstance(statement.body, cst.IndentedBlock):
            return None
        start, end = header
        indentation = self._source.indentation(start)
        if indentation is None:
            return None
        left = statement.items[len(patching) :]
        lines = [self._statement(item) for item in patching]
        if left:
            lines.append(f"with {', '.join(map(self._source.code, left))}:")
        text = f"{self._source.line_end(end - 1)}{indentation}".join(lines)
        edits = [Edit(start, end, text)]
        if not left:
            edits += self._dedented(statement, statement.body, end, indentation)
        names = tuple(
            name for item in patching if isinstance(item.item, cst.Call) and (name := root_name(item.item.func))
        )
        return _Site(tuple(edits), names, exact=last)

    def _header(self, statement: cst.With) -> tuple[int, int] | None:
        """The bytes from ``with`` to the colon; None where comments stand between."""
        data, position = self._source.data, self._source.span(statement)[0]
        pattern = _BEFORE_ITEMS
        for item in statement.items:
            start, end = self._source.span(item)
            if not pattern.fullmatch(data, position, start):
                return None
            position, pattern = end, _BETWEEN_ITEMS
        colon = _BEHIND_ITEMS.match(data, position)
        return (self._source.span(statement)[0], colon.end()) if colon else None

    def _statement(self, item: cst.WithItem) -> str:
        call = item.item
        if not isinstance(call, cst.Call):
            raise TypeError
        target = f"{self._source.code(item.asname.name)} = " if item.asname else ""
        return target + self._call(call)

    def _call(self, call: cst.Call) -> str:
        arguments = self._source.data[self._source.span(call.func)[1] : self._source.span(call)[1]].decode()
        return f"{_MOCKER}.{self._bound.tail(call.func)}{arguments}"

    def _dedented(self, statement: cst.With, block: cst.IndentedBlock, header: int, outer: str) -> Iterator[Edit]:
        """Takes the indentation of a block from its lines, but not from those of its texts."""
        data = self._source.data
        extra = block.indent if block.indent is not None else self._source.module.default_indent
        texts = [
            self._source.span(node)
            for node in self._source.nodes_in(block)
            if isinstance(node, cst.SimpleString | cst.FormattedString)
        ]
        inside = {start for begin, end in texts for start in self._lines_in(begin, end)}
        prefix = (outer + extra).encode()
        end = self._source.span(statement)[1]
        start = self._source.next_line(header)
        while start < len(data) and (start < end or data[start:].lstrip(b" \t\f").startswith(b"#")):
            if start not in inside and data.startswith(prefix, start):
                yield Edit(start + len(outer.encode()), start + len(prefix), "")
            elif start >= end:
                return
            start = self._source.next_line(start)

    def _lines_in(self, begin: int, end: int) -> Iterator[int]:
        start = self._source.next_line(begin)
        while start < end:
            yield start
            start = self._source.next_line(start)

    def _decorated(self, decorators: Sequence[cst.Decorator], body: cst.IndentedBlock) -> Iterator[_Site]:
        """All patching decorators together, as statements at the top of the body."""
        place = self._top(body)
        calls = [decorator.decorator for decorator in decorators if isinstance(decorator.decorator, cst.Call)]
        hidden = self._source.stored_names(self._function) | self._class_names()
        names = {node.value for call in calls for node in self._source.nodes_in(call) if isinstance(node, cst.Name)}
        if not calls or place is None or not names.isdisjoint(hidden):
            return
        edits = []
        for decorator in decorators:
            start, end = self._source.span(decorator)
            line_start, next_line = self._source.line_start(start), self._source.next_line(end)
            if self._source.data[line_start:start].strip() or self._source.data[end:next_line].strip():
                return  # a comment, which would be lost
            edits.append(Edit(line_start, next_line, ""))
        indentation = self._source.indentation(place)
        if indentation is None:
            return
        # The lowest decorator patches first.
        lines = [self._call(call) for call in reversed(calls)]
        ending = f"{self._source.line_end(place)}{indentation}"
        edits.append(Edit(place, place, "".join(f"{line}{ending}" for line in lines)))
        used = tuple(name for call in calls if (name := root_name(call.func)))
        exact = not any(isinstance(node, _CALLS) for call in calls for node in self._arguments(call))
        yield _Site(tuple(edits), used, exact)

    def _arguments(self, call: cst.Call) -> Iterable[cst.CSTNode]:
        return (node for argument in call.args for node in self._source.nodes_in(argument))

    def _top(self, body: cst.IndentedBlock) -> int | None:
        """Where the first statement behind the docstring begins."""
        statements = list(body.body)
        if statements and _is_docstring(statements[0]):
            del statements[0]
        if not statements or (isinstance(statements[0], cst.FunctionDef | cst.ClassDef) and statements[0].decorators):
            return None
        return self._source.span(statements[0])[0]

    def _class_names(self) -> set[str]:
        """The names that decorators see and the body does not."""
        holder = self._source.parent(self._function)
        if holder is self._source.module or holder is None:
            return set()
        return self._source.stored_names(holder)


def _bound(statement: Import) -> Iterator[_Bound]:
    if isinstance(statement.names, cst.ImportStar):
        return
    module = dotted(statement.module) if isinstance(statement, cst.ImportFrom) and statement.module else ""
    if isinstance(statement, cst.ImportFrom) and statement.relative:
        return
    for alias in statement.names:
        name = dotted(alias.name)
        given = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else ""
        if module in _MODULES:
            yield _Bound(alias, given or name, given or name, name)
        elif f"{module}.{name}".lstrip(".") in _MODULES:
            written = given or name
            yield _Bound(alias, written.partition(".")[0], written, "")


def _binds(statement: Import, name: str) -> bool:
    if isinstance(statement.names, cst.ImportStar):
        return True
    for alias in statement.names:
        written = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else ""
        if (written or dotted(alias.name).partition(".")[0]) == name:
            return True
    return False


def _is_plain(statement: cst.ClassDef) -> bool:
    """Whether pytest collects a class, and nothing but pytest has a say in how its functions are called."""
    return statement.name.value.startswith("Test") and not (
        statement.bases or statement.keywords or statement.decorators
    )


def _is_docstring(statement: cst.CSTNode) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    expression = statement.body[0]
    return isinstance(expression, cst.Expr) and isinstance(
        expression.value, cst.SimpleString | cst.ConcatenatedString | cst.FormattedString
    )
