"""The games. A folder here is a game; nothing else lists them.

To add one: a folder with ``__init__`` (docstring and ``GAME``), ``state`` (records), ``rules`` (kernels), ``hidden``,
``features``, ``kernel``, ``components`` (what an edition holds), ``text`` (traces) and ``editions/*.yaml``.
CONTRIBUTING.md tells the steps.
"""
