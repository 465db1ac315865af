"""Order in time that Percussion promises for a quantity, with its reason (doc/validation.md, section Orders
of convergence)."""

import re

EXTREMES = re.compile(r"\b(?:max|min|maxabs|mean|sum|diff)\b")
ENERGIES = ("time", "kinetic", "strain", "total", "work_external", "work_viscous")
SCHEMES_WITHOUT_THETA = ("newmark-signorini", "generalized-alpha", "paoli-schatzman")


def has_varying_steps(entries):
    """True if the size of steps or the end of the run depends on the solution."""
    return entries.get("Time/Adaptive") == "true" or bool(entries.get("Time/Stop when")) \
        or float(entries.get("Time/Energy error", 0)) > 0


def is_smooth_function(text, columns):
    """True if a quantity, by its text, is a function of positions and velocities at an instant."""
    words = set(re.findall(r"[A-Za-z_]\w*", text.partition("=")[2] or text))
    return not EXTREMES.search(text) and not words & (columns.table("energy.csv").keys() - set(ENERGIES))


def promised_order(paths, entries, text, columns):
    """Returns the order for a quantity with this text, and the reason, if only the step is refined and no
    contact was active; else None and the reason without it. paths: refined entries; entries: {path: value}
    in effect; columns: of the finest level."""
    if set(paths) != {"Time/Step"}:
        return None, "an order is promised for Time/Step alone"
    if has_varying_steps(entries) or entries.get("Time/Inertia") == "none" \
            or any(path.startswith(("Joints/", "Links/")) for path in entries):
        return None, "no order is promised for this case"
    if columns.table("energy.csv")["contacts_active"].any():
        return None, "no order is promised, as contacts were active"
    if not is_smooth_function(text, columns):
        return None, "an order is promised for positions, velocities and energies at an instant"
    if any(path.startswith("Material/") and path.endswith("Law") and value == "elastoplastic"
           for path, value in entries.items()):
        return 1, "plastic flow"
    scheme, theta = entries.get("Time/Scheme", ""), float(entries.get("Time/Theta", 0.5))
    if scheme in SCHEMES_WITHOUT_THETA:
        return 2, scheme
    return (2 if theta == 0.5 else 1), f"θ = {'½' if theta == 0.5 else format(theta, 'g')}"
