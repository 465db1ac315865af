"""Tables of observed orders: lines to print, and summaries for a page."""

from validation.markdown import table_in_markdown


def line_of(name, promises, verdicts):
    """Returns the line of a series: the promised and the observed orders of two quantities."""
    words = [f"{promise}: {verdict.text():<14}" for promise, verdict in zip(promises, verdicts)]
    reasons = dict.fromkeys(verdict.reason for verdict in verdicts if verdict.reason)
    return " ".join([f"{name:<72}", *words, *(" ".join(reason.split())[:200] for reason in reasons)])


def span(verdicts):
    """Returns the range of the last orders of verdicts."""
    last = sorted(verdict.orders[-1] for verdict in verdicts if verdict.orders)
    if not last:
        return "exact" if verdicts else "–"
    low, high = f"{last[0]:.2f}", f"{last[-1]:.2f}"
    return low if low == high else f"{low} … {high}"


def time_table(found):
    """Returns a table with a row for each law, support and promised order."""
    groups = {}
    for series, verdicts in found.items():
        groups.setdefault((series.law, series.support, series.promised()), []).append((series, verdicts))
    rows = []
    for (law, support, promised), members in groups.items():
        starts = dict.fromkeys(series.start if series.start in ("rest", "preload") else "another run"
                               for series, _ in members)
        rows.append([law, support, ", ".join(starts), len(members), promised,
                     *(span([verdicts[i] for _, verdicts in members]) for i in range(2))])
    return table_in_markdown(["law", "support", "start", "series", "promised", "positions", "velocities"], rows)


def mesh_table(found):
    """Returns a table with a row for each element: promised orders, and the observed ones by law."""
    elements = dict.fromkeys(series.element for series in found)
    laws = list(dict.fromkeys(series.law for series in found))
    rows = []
    for element in elements:
        cells = [[verdicts for series, verdicts in found.items() if (series.element, series.law) == (element, law)]
                 for law in laws]
        rows.append([element.name, f"{element.order}, {2 * (element.order - 1)}",
                     *(", ".join(span([verdicts[i] for verdicts in cell]) for i in range(2)) if cell else "–"
                       for cell in cells)])
    return table_in_markdown(["element", "promised", *laws], rows)
