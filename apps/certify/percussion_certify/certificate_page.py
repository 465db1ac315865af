"""Page of a certificate, in the template of the reports."""

from percussion_report.rendering import render

from .checks import FAILS, PASSES, SKIPPED

COLUMNS = ("check", "verdict", "value", "bound", "value / bound", "worst at")


def _line(check):
    """Returns the row of a check."""
    def number(value):
        return "" if value is None else f"{value:.2e}" if value else "0"
    location = "; ".join(text for text in (check.location, check.remark) if text)
    return dict(zip(COLUMNS, (check.name, check.verdict, number(check.value), number(check.bound),
                              number(check.excess) if check.excess > 0 else "", location)))


def html(title, sentence, facts, checks, hashes):
    """Returns the page: the verdict, the facts, failed checks before passed ones, and folded the reasons of
    checks that were not made, and the hashes {file: text}."""
    failed, passed, skipped = ([check for check in checks if check.verdict == verdict]
                               for verdict in (FAILS, PASSES, SKIPPED))
    return render("page.html", title=title, sentence=sentence, looks=bool(failed), facts=facts,
                  tables=[(name, COLUMNS, list(map(_line, chosen)))
                          for name, chosen in (("Failed", failed), ("Passed", passed))],
                  folded=[("Not checked", [(check.name, check.remark) for check in skipped]),
                          ("SHA-256 of inputs and outputs", hashes.items())])
