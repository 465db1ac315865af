#!/usr/bin/env python3
"""Makes the wheels of a build, installs the reader by pip alone, and reads the results of a run with it.

    check_wheels.py SOURCE BUILD
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

USE = """
import sys, percussion
assert percussion.__file__.startswith(sys.argv[1]), percussion.__file__
run = percussion.read(sys.argv[2])
assert abs(run.rigid_bodies["ball.vy"][-1] + 9.81 * run.times[-1]) < 1e-12, run.rigid_bodies["ball.vy"]
assert run[0].points.shape[1] == 2
try:
    percussion.Case
except ImportError as error:
    assert "percussion.read() works without it" in str(error), error
else:
    raise AssertionError("the reader has the compiled module")
"""
USE_CONE = "import sys, percussion_cone as c; assert c.__file__.startswith(sys.argv[1]); print(c.__doc__)"


def main(source, build):
    with tempfile.TemporaryDirectory() as folder:
        make = [sys.executable, source / "tools/make_wheels.py", build, folder]
        wheels = subprocess.run(make, check=True, capture_output=True, text=True).stdout.split()
        content = pathlib.Path(wheels[0]).read_bytes()
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        assert pathlib.Path(wheels[0]).read_bytes() == content
        assert "percussion_report/templates/page.html" in zipfile.ZipFile(wheels[0]).namelist()
        if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
            print("there is no pip (Debian: python3-pip)")
            return 77
        installed, results = f"{folder}/installed", f"{folder}/results"
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                        "--disable-pip-version-check", "--root-user-action=ignore", "--target", installed, *wheels],
                       check=True)
        subprocess.run([build / "percussion", source / "params/bouncing_ball.prm", "--set", "Time/End=0.01",
                        "--output", results, "--quiet"], check=True)
        environment = {**os.environ, "PYTHONPATH": installed, "PYTHONDONTWRITEBYTECODE": "1"}
        for code in (USE, *([USE_CONE] if len(wheels) > 1 else [])):
            subprocess.run([sys.executable, "-c", code, installed, results], check=True, env=environment,
                           cwd=folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
