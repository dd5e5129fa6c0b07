"""Compiled code: bit operations, tables, the state and its one transition function, play-outs and search.

Inside kernels a set of cards is an ``int64`` whose bit *c* stands for card *c* (0…31); nothing is ever mixed with ``uint64``.
Modules here import each other by absolute ``from skatai.kernels.x import y`` lines, which the compile cache follows.
"""
