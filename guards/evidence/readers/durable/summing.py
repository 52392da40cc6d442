"""``summary.json``, read in parts: of a large run its leaves take as much as all other evidence."""

from collections.abc import Iterable
from typing import BinaryIO, Final

import msgspec

from guards.evidence.readers.durable.records import Summary, SummaryLeaf
from guards.evidence.readers.durable.strict import whole_record

_LEAVES: Final = b'    "leaves": [\n'
_END: Final = b"\n    ]"
_NO_LEAVES: Final = b'    "leaves": []'
_DEEPER: Final = b"\n" + b" " * 8
_encoder = msgspec.json.Encoder()


def summary_with(stream: BinaryIO, leaves: Iterable[SummaryLeaf]) -> Summary | None:
    """The summary without its leaves, where they are written exactly as these would be; else None.

    None says nothing of what is wrong: then the file has to be read as a whole.
    """
    head = []
    while (line := stream.readline()) != _LEAVES:
        if not line:
            return None
        head.append(line)
    before = b"        "
    for leaf in leaves:
        block = before + msgspec.json.format(_encoder.encode(leaf), indent=4).replace(b"\n", _DEEPER)
        if stream.read(len(block)) != block:
            return None
        before = b",\n        "
    if stream.read(len(_END)) != _END:
        return None
    return whole_record(Summary, b"".join((*head, _NO_LEAVES, stream.read())))
