"""How fast Suiteguard is, beside other tools and as projects grow. POSIX only; no part of the distribution."""
