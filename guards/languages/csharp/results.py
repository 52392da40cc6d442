"""What members of well-known types are or give, so that a chain of members can be followed outside of the project.

``$0`` is the first type argument of a call, ``^0`` that of the receiver's type, ``&`` the
receiver's own type; behind ``|`` stands what holds where a call has no type arguments.
"""

from guards.languages.csharp.words import words

_TASK = "System.Threading.Tasks.Task"
_ERROR = "System.Exception"
SHOULD = "FluentAssertions.Should()"  # whatever the extension gives
EXCEPTION_ASSERTIONS = "FluentAssertions.Specialized.ExceptionAssertions"
_CAUGHT = f"$0|{_ERROR}"
_CAUGHT_LATER = f"{_TASK}<$0|{_ERROR}>"
_MSTEST = "Microsoft.VisualStudio.TestTools.UnitTesting.Assert"

_TABLE: dict[str, dict[str, str]] = {
    _ERROR: {
        "GetBaseException()": _ERROR, "InnerException": _ERROR, "Message": "System.String",
        "StackTrace": "System.String",
    },
    "System.AggregateException": {
        "Flatten()": "System.AggregateException",
        "InnerExceptions": f"System.Collections.Generic.IReadOnlyList<{_ERROR}>",
    },
    "System.Runtime.ExceptionServices.ExceptionDispatchInfo": {
        "Capture()": "&", "SourceException": _ERROR,
    },
    "System.Runtime.ExceptionServices.FirstChanceExceptionEventArgs": {"Exception": _ERROR},
    "System.Collections.Generic.KeyValuePair": {"Key": "^0", "Value": "^1"},
    "System.Lazy": {"Value": "^0"},
    "System.Tuple": {f"Item{number + 1}": f"^{number}" for number in range(7)},
    "System.Nullable": {"Value": "^0"},
    _TASK: {
        "CompletedTask": _TASK, "ConfigureAwait()": "&", "ContinueWith()": f"{_TASK}<$0>", "Delay()": _TASK,
        "Exception": "System.AggregateException", "FromCanceled()": f"{_TASK}<$0>", "FromException()": f"{_TASK}<$0>",
        "FromResult()": f"{_TASK}<$0>", "Result": "^0", "Run()": f"{_TASK}<$0>", "WaitAsync()": "&",
        "WhenAll()": _TASK, "WhenAny()": f"{_TASK}<{_TASK}>",
        # Extensions of FluentAssertions on the task of an assertion.
        "Where()": "&", "WithMessage()": "&", "WithParameterName()": "&",
    },
    "System.Threading.Tasks.ValueTask": {
        "AsTask()": f"{_TASK}<^0>", "CompletedTask": "System.Threading.Tasks.ValueTask", "ConfigureAwait()": "&",
        "FromResult()": "System.Threading.Tasks.ValueTask<$0>", "Result": "^0",
    },
    "System.Threading.Tasks.TaskCompletionSource": {"Task": f"{_TASK}<^0>"},
    "System.Threading.SemaphoreSlim": {"WaitAsync()": _TASK},
    "NUnit.Framework.Assert": dict.fromkeys(
        ("Catch()", "CatchAsync()", "Throws()", "ThrowsAsync()"), _CAUGHT
    ),
    "Xunit.Assert": {
        **dict.fromkeys(("Throws()", "ThrowsAny()"), _CAUGHT),
        **dict.fromkeys(("ThrowsAsync()", "ThrowsAnyAsync()"), _CAUGHT_LATER),
        "IsAssignableFrom()": "$0", "IsType()": "$0",
    },
    "Xunit.Record": {"Exception()": _ERROR, "ExceptionAsync()": f"{_TASK}<{_ERROR}>"},
    _MSTEST: {
        **dict.fromkeys(("Throws()", "ThrowsException()", "ThrowsExactly()"), _CAUGHT),
        **dict.fromkeys(("ThrowsAsync()", "ThrowsExactlyAsync()", "ThrowsExceptionAsync()"), _CAUGHT_LATER),
    },
    "TUnit.Assertions.Assert": {
        **dict.fromkeys(("Throws()", "ThrowsExactly()"), _CAUGHT),
        **dict.fromkeys(("ThrowsAsync()", "ThrowsExactlyAsync()"), _CAUGHT_LATER),
    },
    "Shouldly.Should": {
        **dict.fromkeys(("NotThrow()", "Throw()"), "$0"),
        "ThrowAsync()": f"{_TASK}<$0>",
    },
    "Moq.Mock": {"As()": "Moq.Mock<$0>", "Get()": "Moq.Mock", "Object": "^0", "Of()": "$0"},
    "Moq.MockRepository": {"Create()": "Moq.Mock<$0>", "OneOf()": "$0"},
    "NSubstitute.Substitute": dict.fromkeys(("For()", "ForPartsOf()", "ForTypeForwardingTo()"), "$0"),
    "FakeItEasy.A": dict.fromkeys(("Dummy()", "Fake()"), "$0"),
    SHOULD: {
        **dict.fromkeys(("Throw()", "ThrowExactly()"), f"{EXCEPTION_ASSERTIONS}<$0>"),
        **dict.fromkeys(
            ("ThrowAsync()", "ThrowExactlyAsync()", "ThrowWithinAsync()"), f"{_TASK}<{EXCEPTION_ASSERTIONS}<$0>>"
        ),
    },
    EXCEPTION_ASSERTIONS: {
        **dict.fromkeys(("And", "Which"), "^0"),
        **dict.fromkeys(("Where()", "WithMessage()", "WithParameterName()"), "&"),
        **dict.fromkeys(("WithInnerException()", "WithInnerExceptionExactly()"), f"{EXCEPTION_ASSERTIONS}<$0>"),
    },
}  # fmt: skip

AWAITED = frozenset(
    {_TASK, "System.Threading.Tasks.ValueTask", "Cysharp.Threading.Tasks.UniTask", "UnityEngine.Awaitable"}
)
# Types that hold values of their only type argument.
COLLECTIONS = frozenset(
    f"System.Collections.{name}"
    for name in (
        "Concurrent.BlockingCollection", "Concurrent.ConcurrentBag", "Concurrent.ConcurrentQueue",
        "Concurrent.ConcurrentStack", "Generic.HashSet", "Generic.IAsyncEnumerable", "Generic.ICollection",
        "Generic.IEnumerable", "Generic.IList", "Generic.IReadOnlyCollection", "Generic.IReadOnlyList", "Generic.ISet",
        "Generic.LinkedList", "Generic.List", "Generic.Queue", "Generic.SortedSet", "Generic.Stack",
        "Immutable.ImmutableArray", "Immutable.ImmutableList", "ObjectModel.Collection",
        "ObjectModel.ReadOnlyCollection",
    )
)  # fmt: skip
DICTIONARIES = frozenset(
    f"System.Collections.{name}"
    for name in (
        "Concurrent.ConcurrentDictionary", "Generic.Dictionary", "Generic.IDictionary", "Generic.IReadOnlyDictionary",
        "Generic.SortedDictionary",
    )
)  # fmt: skip
PAIR = "System.Collections.Generic.KeyValuePair"
# Calls on several values that give one of them, or several of the same kind.
ONE_OF = words("Dequeue ElementAt First FirstOrDefault Last LastOrDefault Peek Pop Single SingleOrDefault")
OUT_OF_DICTIONARIES = words("Remove TryGetValue TryRemove")
OUT_OF_COLLECTIONS = words("TryDequeue TryPeek TryPop TryTake")
SAME_KIND = words("AsEnumerable Concat Distinct OrderBy OrderByDescending Reverse Skip Take ToArray ToList Where")


def result_of(owner: str, member: str) -> str:
    """What a member gives, as the table has it; empty where it does not know. Calls end with ``()``."""
    return _TABLE.get(owner, {}).get(member, "")
