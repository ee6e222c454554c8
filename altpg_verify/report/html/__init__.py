"""The report as one self-contained HTML file: formulas as MathML, figures as inline SVG, an
interactive simplex.
"""
