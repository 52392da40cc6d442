"""Contracts of the result files of .NET's test runners."""
