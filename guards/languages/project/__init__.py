"""Project files (.asmdef, .rsp, .csproj, …) as rules see them."""
