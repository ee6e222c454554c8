"""The ledger of claims: what is entered, what is refuted, and that the judging can tell."""
