#!/usr/bin/env python3
"""Figures of a run for a paper: copy this file and change it.

    PYTHONPATH=build/release/python python3 doc/examples/figure.py output/sliding_block

writes energy.pdf and block.pdf. An installed percussion-report needs no PYTHONPATH.
"""

import sys

from percussion_report import bodies, charts, files

run = files.Run(sys.argv[1])

# A chart of the report is a figure of Matplotlib, in which everything can be changed.
chart = charts.energy([run])
upper, lower = chart.figure.axes
upper.set_title("")
lower.remove()
chart.save("energy.pdf", bbox_inches="tight")

# The bodies at the instant that is nearest to the middle of the run.
k = run.nearest(run.table["time"][-1] / 2)
look = bodies.Look(run, [k], field="displacement")
figure, _ = bodies.snapshot(look, k)
figure.texts[-1].set_text("")  # no title
figure.savefig("block.pdf")
