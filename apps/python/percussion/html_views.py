"""Objects of the package as tables of HTML, for notebooks."""

import html

import numpy as np

STATUSES = ("open", "sticking", "sliding")
_MAX_ROWS = 10


def table(rows):
    """Returns rows of texts, the first of which is a head, as a table."""
    lines = ""
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        lines += "<tr>" + "".join(f"<{tag}>{html.escape(str(x))}</{tag}>" for x in row) + "</tr>\n"
    return f"<table>\n{lines}</table>\n"


def paragraph(text):
    """Returns a text as a paragraph."""
    return f"<p>{html.escape(text)}</p>\n"


def counted(counts):
    """Returns counts by name in words, e.g. '3 open, 2 sliding'."""
    return ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "none"


def arrays(values, owners=None):
    """Returns a table of arrays by name: whether of points or of cells, if `owners` says so, shape,
    smallest and largest value."""
    rows = [["array", *(["of"] if owners else []), "shape", "smallest", "largest"]]
    for name, array in values.items():
        bounds = [f"{array.min():.4g}", f"{array.max():.4g}"] if array.size else ["", ""]
        rows.append([name, *([owners[name]] if owners else []), " × ".join(map(str, array.shape)),
                     *bounds])
    return table(rows)


def matrices(view, reason):
    """Returns the matrices of a run: shapes and entries that are stored. `reason` is why there are no
    constant K, C and A; empty if there are."""
    rows = [["matrix", "shape", "entries"]]
    for name in ("M", "H", "G") if reason else ("M", "K", "C", "A", "H", "G"):
        matrix = getattr(view, name)
        rows.append([name, " × ".join(map(str, matrix.shape)), matrix.nnz])
    text = f"{view.M.shape[0]} degrees of freedom, {view.prescribed.sum()} prescribed; " \
           f"{len(view.keys)} contacts"
    absent = f". There are no constant K, C, A and W: {reason}" if reason else ""
    return paragraph(text + absent) + table(rows)


def case(view):
    """Returns a case that can be run."""
    mesh = view.mesh
    rows = [[view.name, ""], ["scheme", view.scheme],
            ["steps", f"{view.n_steps} of {view.step_length:g}"], ["units", view.units or "none given"],
            ["elastic mesh", f"{len(mesh.nodes)} nodes, {len(mesh.cells)} cells" if mesh else "none"],
            ["results", view.output], *(["warning", text] for text in view.warnings)]
    return table(rows)


def run(view):
    """Returns the progress of a run."""
    state, summary = view.state, view.summary
    rows = [[view.case.name, ""], ["step", f"{state.step} of {view.n_steps}, t = {state.time:g}"],
            ["status", "ended" if view.finished else "steps are left"],
            ["energy", f"{state.energy:.6g}, at the start {summary.initial_energy:.6g}"],
            ["largest balance residual", f"{summary.balance_residual_max:.2g}"],
            ["contacts", len(view.contacts)],
            *([name, f"{value:.6g}"] for name, value in view.probes.items())]
    return table(rows)


def summary(view):
    """Returns the numbers of a summary."""
    names = [name for name in dir(view) if not name.startswith("_")]
    values = {name: getattr(view, name) for name in names}
    return table([["summary", ""], ["status", values.pop("status")],
                  *([name, f"{value:.6g}" if isinstance(value, float) else value]
                    for name, value in values.items() if value != "")])


def contacts(view):
    """Returns the contacts of the last step: their number, and the first of them, closed ones before
    open ones."""
    n = len(view)
    status, gap, percussion, pair = view.status, view.gap, view.percussion, view.pair
    names = view.names
    rows = [[names[pair[i]], STATUSES[status[i]], f"{gap[i]:.4g}",
             ", ".join(f"{component:.4g}" for component in percussion[i])]
            for i in np.argsort(status == 0, kind="stable")[:_MAX_ROWS]]
    text = counted({name: int((status == k).sum()) for k, name in enumerate(STATUSES)})
    more = f"; the first {_MAX_ROWS} are listed" if n > _MAX_ROWS else ""
    return paragraph(f"{n} contacts: {text}{more}") \
        + table([["contact", "status", "gap", "percussion"], *rows])
