"""What a designer starts from: texts that are written once and are his from then on.

``scenario``  a commented scenario of any game; ``schema``  the JSON schema by which editors check scenarios;
``skeleton``  the folder of a new game, from the files in ``skeleton/``; ``writing``  files that replace nothing.
"""
