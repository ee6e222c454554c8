"""Evidence from exact enumeration: each law's engine applied to a claim of the paper, instance by instance."""
