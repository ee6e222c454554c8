"""What the sampling tree's claims rest on here: the pseudocode executed as printed, and the trees
of this package measured.
"""
