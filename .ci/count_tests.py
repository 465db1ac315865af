#!/usr/bin/env python3
"""Count the tests in the JUnit files that CTest wrote: prints "N passed, N failed", and before it
which tests of GoogleTest failed, with what they printed.

A CTest test may be a program with many tests of its own: of GoogleTest's and Python's unittest the
tests inside are counted, anything else is one test. What was skipped is not counted. A file that is
not there holds no tests; fails if there are none at all.
"""
import os
import re
import sys
import xml.etree.ElementTree as ElementTree


def number(pattern, text):
    return sum(int(n) for n in re.findall(pattern, text))


def count(case):
    """(passed, failed) of one CTest test."""
    text = case.findtext("system-out") or ""
    status, reason = case.get("status"), case.find("skipped")
    good = status == "run"
    # A program that is missing is "notrun" too, and a failure.
    skipped = status == "disabled" or (
        reason is not None and reason.get("message", "").startswith("SKIP_"))
    if "[==========]" in text:
        passed = number(r"\[  PASSED  \] (\d+) tests?", text)
        failed = number(r"\[  FAILED  \] (\d+) tests?, listed", text)
    elif ran := re.search(r"^Ran (\d+) tests? in", text, re.M):
        failed = number(r"(?:failures|errors|unexpected successes)=(\d+)", text)
        passed = int(ran[1]) - failed - number(r"skipped=(\d+)", text)
    else:
        passed, failed = int(good), int(not good and not skipped)
    if not good and not skipped and not failed:
        failed = 1  # it crashed, or took too long
    return passed, failed


def failures(text):
    """What each failed test of GoogleTest printed, from its start to its end, at most 40 lines."""
    for name in re.findall(r"^\[  FAILED  \] (\S+) \(\d+ ms\)$", text, re.M):
        begin = max(text.find(f"[ RUN      ] {name}\n"), 0)
        end = text.index(f"[  FAILED  ] {name}", begin)
        yield text[begin:end].splitlines()[:40] + [f"[  FAILED  ] {name}"]


def main(files):
    trees = [ElementTree.parse(file) for file in files if os.path.exists(file)]
    cases = [case for tree in trees for case in tree.iter("testcase")]
    counts = [count(case) for case in cases]
    for case in cases:
        for lines in failures(case.findtext("system-out") or ""):
            print("\n".join(lines))
    passed, failed = sum(c[0] for c in counts), sum(c[1] for c in counts)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed + failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
