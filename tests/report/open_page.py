#!/usr/bin/env python3
"""Opens a page in headless Chromium and fails on any request or complaint of the page.

    open_page.py PAGE [--chromium PROGRAM] [--pictures FOLDER]

The page is opened at the widths of a large screen, a desktop and a phone. It must request no other file
or address, write no error or warning to the console, show all of its images, and not be wider than the
window; no label of a chart and no part of the page is cut, its verdict is on the first screen, and the
values under the pointer are those in the page, and the animation shows the frame of the cursor's time.
With --pictures, screenshots and the page as printed (desktop.png, phone.png, print.pdf) are kept.
Standard library only: Chromium is controlled by its DevTools protocol over a pipe.
"""

import argparse
import base64
import fcntl
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

WIDTHS = {"large": 1920, "desktop": 1280, "phone": 390}
PATIENCE = 120  # seconds for an answer


class Browser:
    """Chromium process and its events."""

    def __init__(self, program, profile):
        to_read, self.to = os.pipe()
        self.of, from_write = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_read, from_write)]
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--disable-sync", "--disable-extensions",
                   "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "chromium", *command],
            pass_fds=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_read, from_write, *ends):
            os.close(end)
        self.events, self.answers = [], {}
        self.buffer, self.number, self.session = b"", 0, None

    def receive(self, deadline):
        """Reads one message; returns None if none arrives in time."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.of], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.of, 1 << 20) if ready else b""
            if not ready:
                return None
            if not part:
                raise SystemExit("open_page: Chromium has ended before it answered")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.events.append(message)
        return message

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while self.number not in self.answers:
            if self.receive(deadline) is None:
                raise SystemExit(f"open_page: Chromium does not answer {method}")
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise SystemExit(f"open_page: {method}: {answer['error']['message']}")
        return answer["result"]

    def wait_for(self, event):
        deadline = time.monotonic() + PATIENCE
        while not any(e["method"] == event for e in self.events):
            if self.receive(deadline) is None:
                raise SystemExit(f"open_page: no {event} within {PATIENCE} s")

    def settle(self, seconds):
        """Reads the events that arrive after the page has loaded."""
        deadline = time.monotonic() + seconds
        while self.receive(deadline) is not None:
            pass

    def evaluate(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, awaitPromise=True,
                        returnByValue=True)["result"].get("value")

    def open_tab(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait()


def complaints_of(events, address):
    """Returns the complaints in events on requests, failures and the console."""
    found = []
    for event in events:
        method, told = event["method"], event["params"]
        if method == "Network.requestWillBeSent":
            url = told["request"]["url"]
            if url != address and not url.startswith("data:"):
                found.append(f"asks for {url[:200]}")
        elif method == "Network.loadingFailed":
            found.append(f"a resource is missing: {told['errorText']}")
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            found.append(f"console {told['type']}: {json.dumps(told['args'])[:200]}")
        elif method == "Runtime.exceptionThrown":
            found.append(f"exception: {told['exceptionDetails'].get('text')}")
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            found.append(f"log: {told['entry']['text'][:200]}")
    return found


IMAGES = """Promise.all([...document.images].map(i => i.decode().then(() => null,
    () => i.alt || i.src.slice(0, 80)))).then(broken => broken.filter(b => b !== null))"""
UNNAMED = "[...document.images].filter(i => !i.alt).length"
CUT = """[...document.body.querySelectorAll("*")].filter(e => !e.closest("svg")
    && (e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1
        && getComputedStyle(e).overflowX !== "visible" && e.clientWidth)).length"""
OPEN = "document.querySelectorAll('details').forEach(d => d.open = true)"
LABELS = """[...document.querySelectorAll("svg.plot text")].filter(t => {
    const a = t.getBoundingClientRect(), b = t.ownerSVGElement.getBoundingClientRect();
    return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1 || a.top < b.top - 1;
    }).map(t => t.textContent)"""
LOW = """[...document.querySelectorAll(".verdict, #hero")].filter(e => !(
    e.getBoundingClientRect().top < innerHeight * 0.9)).length"""
# The pointer goes to the middle of each chart; the legend must show a value of the nearest time.
POINTER = """(() => { let wrong = [];
    for (const svg of document.querySelectorAll("svg[data-v]")) {
      const hit = svg.querySelector(".hit"), box = hit.getBoundingClientRect();
      const [a, b] = svg.dataset.x.split(" ").map(Number), t = (a + b) / 2;
      hit.dispatchEvent(new PointerEvent("pointermove",
        {clientX: box.left + box.width / 2, clientY: box.top + 5, bubbles: true}));
      const shown = [...svg.parentNode.querySelectorAll("output")].map(o => o.textContent);
      JSON.parse(svg.dataset.v).forEach(([x, y], i) => {
        const far = Math.min(...x.map(v => Math.abs(v - t))) + 1e-3 * (b - a);
        const near = y.filter((_, k) => Math.abs(x[k] - t) <= far).map(String);
        if (x.length && !near.includes(shown[i].split(" ")[0])) wrong.push(shown[i] + " at " + t);
      });
    } return wrong; })()"""
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"

# Drags over a quarter of the first chart, and returns to the whole by a double click.
ZOOM = """(() => { const svg = document.querySelector("svg[data-v]");
    if (!svg) return true;
    const hit = svg.querySelector(".hit"), box = hit.getBoundingClientRect(), widths = [];
    const send = (name, at) => hit.dispatchEvent(new PointerEvent(name,
      {clientX: box.left + box.width * at, clientY: box.top + 5, bubbles: true}));
    const look = () => widths.push(+(svg.querySelector("svg")?.getAttribute("viewBox") ?? "").split(" ")[2]);
    send("pointerdown", 0.25); send("pointerup", 0.5); look();
    hit.dispatchEvent(new MouseEvent("dblclick", {bubbles: true})); look();
    return Math.abs(widths[0] - 2500) < 50 && widths[1] === 10000; })()"""


# Moves the pointer over the first chart, and then the slider; the picture must be the frame of that time.
FILM = """(() => { const hero = document.querySelector("#hero"), film = document.querySelector("#film");
    if (!film) return [];
    const frames = JSON.parse(film.textContent), wrong = [], slider = document.querySelector("input[type=range]");
    const check = (t, means) => {
      const distance = Math.min(...frames.map(f => Math.abs(f[0] - t)));
      if (!frames.some(f => Math.abs(f[0] - t) <= distance && f[1] === hero.src)) wrong.push(means + " at " + t);
    };
    const svg = document.querySelector("svg[data-v]"), [a, b] = svg.dataset.x.split(" ").map(Number);
    const hit = svg.querySelector(".hit"), box = hit.getBoundingClientRect();
    for (const at of [0.9, 0.3, 0.6]) {
      hit.dispatchEvent(new PointerEvent("pointermove",
        {clientX: box.left + box.width * at, clientY: box.top + 5, bubbles: true}));
      check(a + (b - a) * at, "cursor");
    }
    for (const k of [0, frames.length - 1]) {
      if (slider) { slider.value = k; slider.dispatchEvent(new Event("input")); }
      check(frames[k][0], "slider");
    } return wrong; })()"""


def open_page(browser, page, name, pictures):
    """Opens the page at one width; returns its defects."""
    address = page.resolve().as_uri()
    browser.open_tab()
    browser.ask("Emulation.setDeviceMetricsOverride", width=WIDTHS[name], height=900,
                deviceScaleFactor=1, mobile=name == "phone")
    browser.events.clear()
    browser.ask("Page.navigate", url=address)
    browser.wait_for("Page.loadEventFired")
    browser.settle(0.5)
    found = complaints_of(browser.events, address)
    found += [f"an image is broken: {image}" for image in browser.evaluate(IMAGES)]
    if browser.evaluate(UNNAMED):
        found.append("an image has no alternative text")
    if browser.evaluate(TOO_WIDE) > 0:
        found.append(f"it is {browser.evaluate(TOO_WIDE)} pixels wider than the window")
    if name != "phone" and browser.evaluate(LOW):
        found.append("the verdict or the picture is not on the first screen")
    if pictures:
        shot = browser.ask("Page.captureScreenshot")
        (pictures / f"{name}-first.png").write_bytes(base64.b64decode(shot["data"]))
    browser.evaluate(OPEN)
    if browser.evaluate(CUT):
        found.append("a table or figure is cut at the right")
    found += [f"a label is cut: {label}" for label in browser.evaluate(LABELS)]
    found += [f"a value under the pointer is not in the page: {value}"
              for value in browser.evaluate(POINTER)]
    if not browser.evaluate(ZOOM):
        found.append("a chart does not zoom")
    found += [f"the animation does not follow the {means}" for means in browser.evaluate(FILM)]
    if pictures:
        shot = browser.ask("Page.captureScreenshot", captureBeyondViewport=True)
        (pictures / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))
        if name == "desktop":
            printed = browser.ask("Page.printToPDF", printBackground=True,
                                  preferCSSPageSize=True)
            (pictures / "print.pdf").write_bytes(base64.b64decode(printed["data"]))
    browser.session = None
    return [f"{page} ({name}): {complaint}" for complaint in found]


BAD = """<!DOCTYPE html><title>bad</title><img src="absent.png" alt="absent">
<script>console.error("wrong")</script><div style="width: 3000px">wide</div>
<div style="width: 500px; overflow-x: auto"><div style="width: 600px">cut</div></div>
<div style="height: 2000px"></div><p class="verdict">late</p>
<div><svg class="plot" width="300" height="50" data-x="0 1" data-v="[[[0.5], [7]]]"><text x="280" y="9">a label
</text><rect class="hit" width="300" height="50"/></svg><output>8 J</output></div>
<img id="hero" alt="first" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<script type="application/json" id="film">[[0, "data:,a"], [1, "data:,b"]]</script>"""
EXPECTED = ("asks for", "a resource is missing", "console error", "an image is broken", "wider than",
            "is cut at the right", "not on the first screen", "a label is cut: a label",
            "is not in the page: 8 J", "does not zoom", "does not follow the cursor at 0.9",
            "does not follow the slider")


def check_the_check(browser, folder):
    """Checks that all defects of a defective page are reported."""
    page = pathlib.Path(folder) / "bad.html"
    page.write_text(BAD, encoding="utf-8")
    told = "\n".join(open_page(browser, page, "desktop", None))
    for expected in EXPECTED:
        if expected not in told:
            raise SystemExit(f"open_page: a page made to fail does not ('{expected}'):\n{told}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.page.is_file():
        raise SystemExit(f"open_page: {arguments.page}: no such file")
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(arguments.chromium, os.path.join(folder, "profile"))
        try:
            check_the_check(browser, folder)
            found = [complaint for name in WIDTHS
                     for complaint in open_page(browser, arguments.page, name,
                                                arguments.pictures)]
        finally:
            browser.close()
    print("\n".join(found) or f"{arguments.page}: opens without a request or a complaint")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
