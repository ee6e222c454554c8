"""Updates, losses and objectives, audited by enumeration."""
