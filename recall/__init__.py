"""A question to ranked, current answers with their provenance."""

import os

# Before numpy is loaded anywhere below: more BLAS threads than one burn the other core, and wait on each other where
# the machine is busy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
