"""Result files of .NET's test runners: NUnit 3 (and Unity), the test platform of Visual Studio, xUnit."""
