"""Losses as public libraries ship them."""
