"""The gallery: what people who implement policy gradients met, as updates (`cases/`), and the page
that is made of them (`page.py`). It isn't installed; the tests hold its verdicts.
"""
