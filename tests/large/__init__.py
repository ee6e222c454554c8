"""The O(log k) sampling tree and gradient bandit."""
