"""Runs all the evidence, fills the ledger and typesets it as `reports/report.pdf`."""
