// DomainReloadHarness.cs
