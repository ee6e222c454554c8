"""The theory package: the kernel, the certificates, the derivations, and exact numbers against
them.
"""
