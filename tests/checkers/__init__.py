"""The checkers, checked: planted faults, messages, unusable input."""
