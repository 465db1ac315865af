#!/usr/bin/env python3
"""Draw a performance profile (Dolan and More, 2002) that percussion-fc --compare has written.

    performance_profile.py profile.csv profile.png        (or .pdf, .svg)
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

if len(sys.argv) != 3:
    sys.exit(__doc__)
with open(sys.argv[1], newline="") as file:
    header, *rows = csv.reader(line for line in file if not line.startswith("#"))
tau, *shares = zip(*(map(float, row) for row in rows))

figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
end = max(2.0, 1.3 * tau[-1])
for k, (solver, share) in enumerate(zip(header[1:], shares)):
    axes.step([*tau, end], [*share, share[-1]], where="post", label=solver, ls=["-", "--", ":"][k // 10 % 3])
axes.set(xscale="log", xlim=(1, end), ylim=(-0.02, 1.02), xlabel="tau", ylabel="share solved within tau times the fastest")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
axes.grid(alpha=0.3)
figure.savefig(sys.argv[2], dpi=150)
