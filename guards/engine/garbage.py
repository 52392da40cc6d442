"""How often Python looks for garbage in cycles."""


def look_rarely() -> None:
    """Makes Python look for cycles rarely.

    What a run keeps is plain data, and there is much of it; looking through it again and again for
    cycles that are not there takes a fifth of a run on a full cache.
    """
    import gc

    gc.set_threshold(50_000, 20, 100)
