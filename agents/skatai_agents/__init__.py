"""Skat agents for skatai: random, rule-based, search and neural players."""
