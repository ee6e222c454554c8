"""The claims by enumeration: what is served, and that planted faults are seen."""
