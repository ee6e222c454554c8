"""The Coq sources, what is read from Coq, and what Coq itself says where it is installed."""
