"""Suiteguard: can this green test suite be trusted?"""

__version__ = "0.1.0"
