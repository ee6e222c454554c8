"""The roof of the house: runs all the evidence, fills the ledger and typesets it as `reports/report.pdf`."""
