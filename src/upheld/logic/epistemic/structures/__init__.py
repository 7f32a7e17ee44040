"""Knowledge and belief of many agents without listing worlds: a law, what each observes, and stacks of upgrades.

:mod:`.structure` has the structures, :mod:`.events` what not all notice alike, :mod:`.scripts` the past that can be
taken back; below them formulas become sets of worlds (:mod:`.evaluation`) in :mod:`.frames` of :mod:`.diagrams`.
"""
