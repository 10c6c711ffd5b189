"""The art of a quick start, all of it: what a bundle (hooks/bundle.py) holds beside the ordinary modules.

``os``, ``json`` and ``socket`` are the few functions that capture uses of those modules, on the C modules
beneath them; ``boot`` loads modules and patterns out of a bundle. They are used from a bundle alone.
"""
