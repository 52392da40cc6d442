"""What every file says: from the cache where it is unchanged, collected now where it is not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from guards.engine.executor import Workers, collect_all
from guards.engine.task import Collected, FileTask, Packed, RulePlan, content_key
from guards.project.files import Unread
from guards.project.model import PRODUCT, FileInfo, Stamp, Unit

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from guards.engine.cache import Cache, Known
    from guards.languages.base import ProjectFacts
    from guards.project.files import ProjectFiles

# Below this, reading and parsing is quicker than opening the cache.
_FEW_FILES = 8
SAID, OUTLINE = "said", "outline"

Wanted = Sequence[tuple[FileInfo, int]]


class Means(NamedTuple):
    """By what means to collect: see ``Workers``. ``cache_folder`` None means the user's."""

    jobs: int = 1
    executor: "Executor | None" = None
    progress: Callable[[int, int], None] = lambda _done, _of: None
    use_cache: bool = False
    cache_folder: str | None = None


class Store:
    """The files of one run; a context manager, because the cache is written at its end.

    ``judged`` are the content keys of what files said what they say from, where they may offer fixes.
    """

    def __init__(self, files: "ProjectFiles", plans: Sequence[tuple[RulePlan, ...]], means: Means) -> None:
        self._files = files
        self._plans = plans
        self._means = means
        self._stack = ExitStack()
        self._workers = self._stack.enter_context(Workers(means.jobs, means.executor))
        self._cache: Cache | None = None
        self._known: dict[str, Mapping[str, Known]] = {}
        self._plan_keys: dict[int, bytes] = {}
        self._bases: dict[tuple[int, str, str, bytes], tuple[Unit, bytes]] = {}  # holds units, so that ids stay theirs
        self._facts: dict[str, object] = {}
        self._packed: dict[str, Packed] = {}
        self._failed: set[str] = set()
        self._stamps: dict[str, Stamp | None] = {}
        self.judged: dict[str, bytes] = {}
        self._no_cache_because = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, value, trace)

    @property
    def trouble(self) -> str:
        """What went wrong with the cache so far, or nothing."""
        return self._no_cache_because or (self._cache.trouble if self._cache else "")

    def said(self, wanted: Wanted) -> dict[str, Collected]:
        """What files say to the rules of their plans, by path."""
        use_cache = len(wanted) > _FEW_FILES
        said: dict[str, Collected] = {}
        tasks = []
        for info, plan in wanted:
            if not self._plans[plan]:
                said[info.path] = Collected(info.path, info.language)
            elif use_cache and (before := self._said_before(info, plan)) is not None:
                said[info.path] = before
            else:
                task = self._task(info, plan, with_facts=info.role != PRODUCT)
                if isinstance(task, Collected):
                    said[info.path] = task
                else:
                    tasks.append(task)
        for task, collected, facts in self._collect(tasks):
            said[task.info.path] = collected
            if collected.offers_fixes:
                self.judged[task.info.path] = content_key(task.raw)
            if collected.failure:
                self._failed.add(task.info.path)  # its facts would fail likewise, and as slowly
            elif use_cache:
                self._remember(task, collected, facts)
        return said

    def facts(self, infos: Sequence[FileInfo]) -> "ProjectFacts":
        """What all files of one language say for others; facts are loaded only as they are asked for."""
        from guards.languages.base import ProjectFacts

        files = {info.path: info for info in infos}
        return ProjectFacts(files, _LazyFacts(self, files), self._outlines(infos))

    def _outlines(self, infos: Sequence[FileInfo]) -> Mapping[str, object] | None:
        """The outlines of the facts of files of one language, by path; None for a language that has none."""
        from guards.languages.base import outline_of

        outline = outline_of(infos[0].language) if infos else None
        if outline is None:
            return None
        outlines: dict[str, object] = {}
        missing = []
        for info in infos:
            before = self._outline_before(info)
            if before is None:
                missing.append(info)
            else:
                outlines[info.path] = before
        self.load_facts(missing)
        for info in missing:
            waiting = self._packed.get(info.path)
            if waiting is not None:
                from guards.engine.packing import OUTLINE_TYPE, unpacked

                outlines[info.path] = unpacked(info.language, OUTLINE_TYPE, waiting.outline)
            elif info.path in self._facts:
                outlines[info.path] = outline(self._facts[info.path])
        return outlines

    def load_facts(self, infos: Sequence[FileInfo]) -> None:
        """Loads or collects the facts of files that have none yet."""
        tasks = []
        for info in infos:
            if self._has_facts(info.path) or info.path in self._failed or self._facts_before(info):
                continue
            task = self._task(info, None, with_facts=True)
            if isinstance(task, Collected):
                self._failed.add(info.path)
            else:
                tasks.append(task)
        for task, collected, facts in self._collect(tasks) if tasks else ():
            if collected.failure:
                self._failed.add(task.info.path)
            else:
                self._remember(task, None, facts)

    def facts_of(self, path: str) -> object | None:
        """The facts of a file that were loaded, or None."""
        waiting = self._packed.pop(path, None)
        if waiting is not None:
            from guards.engine.packing import FACTS, unpacked

            self._facts[path] = unpacked(self._files.info(path).language, FACTS, waiting.facts)
        return self._facts.get(path)

    def _has_facts(self, path: str) -> bool:
        return path in self._facts or path in self._packed

    def _task(self, info: FileInfo, plan: int | None, *, with_facts: bool) -> FileTask | Collected:
        self._stamp(info.path)
        try:
            raw = self._files.read(info.path)
        except Unread as error:
            return Collected(info.path, info.language, failure=str(error))
        return FileTask(info, raw, len(self._plans) if plan is None else plan, with_facts)

    def _collect(self, tasks: Sequence[FileTask]) -> Iterator[tuple[FileTask, Collected, object]]:
        done = 0

        def progress(count: int) -> None:
            nonlocal done
            done += count
            self._means.progress(done, len(tasks))

        plans = [*self._plans, ()]
        results = collect_all(tasks, plans, self._workers, progress)
        for task, (collected, facts) in zip(tasks, results, strict=True):
            if isinstance(facts, Packed):
                self._packed[task.info.path] = facts
            elif facts is not None:
                self._facts[task.info.path] = facts
            yield task, collected, facts

    def _said_before(self, info: FileInfo, plan: int) -> Collected | None:
        known = self._unchanged(SAID, info, self._plan_key(plan))
        if known is None:
            return None
        from guards.engine.cache import said

        self.judged[info.path] = known.content
        return said(known)

    def _outline_before(self, info: FileInfo) -> object | None:
        known = self._unchanged(OUTLINE, info, b"")
        if known is None:
            return None
        from guards.engine.cache import outline

        return outline(info.language, known)

    def _facts_before(self, info: FileInfo) -> bool:
        known = self._unchanged(OUTLINE, info, b"")
        facts = self._cache.facts(info.path, info.language, known) if known is not None and self._cache else None
        if facts is not None:
            self._facts[info.path] = facts
        return facts is not None

    def _unchanged(self, kind: str, info: FileInfo, plan: bytes) -> "Known | None":
        """The row that was made from what stands on disk now; its stamp is renewed where only that changed."""
        cache = self._open_cache()
        if cache is None:
            return None
        known = self._known_rows(cache, kind).get(info.path)
        if known is None or known.basis != self._basis(info, plan):
            return None
        stamp = self._stamp(info.path)
        if stamp is not None and known.has_stamp(stamp):
            return known
        try:
            same = content_key(self._files.read(info.path)) == known.content
        except Unread:
            return None
        if same and stamp is not None:
            cache.restamp(kind, info.path, stamp)
        return known if same else None

    def _stamp(self, path: str) -> Stamp | None:
        """The stamp of a file before it was read: one that changes meanwhile has another one at the next run."""
        if path not in self._stamps:
            self._stamps[path] = self._files.stamp(path)
        return self._stamps[path]

    def _basis(self, info: FileInfo, plan: bytes) -> bytes:
        """The basis of a file's rows. Files share their units, so that one is looked at once."""
        key = (id(info.unit), info.role, info.language, plan)
        if key not in self._bases:
            from guards.engine.cache import basis_key

            self._bases[key] = (info.unit, basis_key(info, plan))
        return self._bases[key][1]

    def _plan_key(self, plan: int) -> bytes:
        if plan not in self._plan_keys:
            from guards.engine.cache import plan_key

            self._plan_keys[plan] = plan_key(self._plans[plan])
        return self._plan_keys[plan]

    def _known_rows(self, cache: "Cache", kind: str) -> "Mapping[str, Known]":
        if kind not in self._known:
            self._known[kind] = cache.known(kind)
        return self._known[kind]

    def _remember(self, task: FileTask, collected: Collected | None, facts: object) -> None:
        cache = self._open_cache()
        if cache is None:
            return
        from guards.engine.cache import Entry

        path, stamp, content = task.info.path, self._stamp(task.info.path), content_key(task.raw)
        if collected is not None:
            basis = self._basis(task.info, self._plan_key(task.plan))
            cache.put(SAID, Entry(path, stamp, content, basis, collected))
        if facts is not None:
            from guards.engine.packing import as_values, packed

            waiting = facts if isinstance(facts, Packed) else packed(facts, task.info.language)
            if waiting is not None:
                cache.put(OUTLINE, Entry(path, stamp, content, self._basis(task.info, b""), *as_values(waiting)))

    def _open_cache(self) -> "Cache | None":
        if self._cache is None and self._means.use_cache and not self._no_cache_because:
            from guards.engine.locations import cache_file

            file = cache_file(self._files.root, self._means.cache_folder)
            if file is None:
                self._no_cache_because = "the cache folder lies inside the project; the run went on without a cache"
                return None
            from guards.engine.cache import Cache

            self._cache = self._stack.enter_context(Cache(file))
        return self._cache


class _LazyFacts(Mapping[str, object]):
    """Facts by path. One file's are loaded when asked for, all at once when iterated."""

    def __init__(self, store: Store, infos: Mapping[str, FileInfo]) -> None:
        self._store = store
        self._infos = infos

    def __getitem__(self, path: str) -> object:
        facts = self._store.facts_of(path)
        if facts is None:
            self._store.load_facts([self._infos[path]])
            facts = self._store.facts_of(path)
        if facts is None:
            raise KeyError(path)
        return facts

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._infos and self.get(path) is not None

    def __iter__(self) -> Iterator[str]:
        self._store.load_facts(list(self._infos.values()))
        return (path for path in self._infos if self._store.facts_of(path) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)
