#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# check_pages.py FOLDER [--accept] [PAGE.html...]: opens every page of the site in a headless chromium,
# as wide as a phone, a laptop and a large screen, and complains of pages that are wider than the
# screen, pictures that do not load or have no text, whatever is asked of another server, a search that
# finds nothing, and what axe-core finds serious: light on the phone, and colours dark on the laptop
# (build-axe/axe.min.js, which scripts/make_site.sh fetches). Screenshots of a few pages are compared, scaled down, with those
# of test/site; --accept keeps the new ones. What is not installed is left out, and said.
import functools
import glob
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AXE = os.path.join(ROOT, "build-axe", "axe.min.js")
REFERENCE = os.path.join(ROOT, "test", "site")
WIDTHS = [390, 1280, 1920]
SCHEMES = {"light": "default", "dark": "slate"}
SHOTS = ["index.html", "algorithms/triangles.html", "headers/gblite_chain.html"]
LIMIT = 900  # seconds for all pages
DIFFERS, SHARE = 48, 0.03  # grey levels; share of the pixels of a small screenshot that may
PAGE = """<!doctype html><title>check</title><script>
const say = (kind, text) => fetch('/said', {method: 'POST', body: JSON.stringify([kind, text])});
const wide = (d, width) => [...d.querySelectorAll('.md-content *')]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !e.closest('pre, table'))
    .slice(0, 3).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 40));
const wait = ms => new Promise(done => setTimeout(done, ms));
async function serious(w, rules) {
  const found = await w.axe.run(w.document, {resultTypes: ['violations'], runOnly: rules});
  return found.violations.filter(v => ['serious', 'critical'].includes(v.impact))
      .map(v => `${v.id}, ${v.nodes.length} times: ${v.nodes[0].target} ` +
                `${v.nodes[0].failureSummary.split('\\n').pop().trim()}`);
}
async function look(page, widths, axe) {
  const frame = document.createElement('iframe');
  frame.width = widths[0]; frame.height = 800; frame.src = page;
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  const w = frame.contentWindow, d = frame.contentDocument, bad = [];
  await d.fonts.ready;
  await wait(100);
  const still = d.createElement('style');  // colours that change slowly are measured too early
  still.textContent = '* { transition: none !important; animation: none !important; }';
  d.head.append(still);
  for (const i of d.images) {
    if (!i.complete || i.naturalWidth == 0) bad.push(`no picture ${i.getAttribute('src')}`);
    if (!i.alt) bad.push(`a picture without text, ${i.getAttribute('src')}`);
  }
  if (axe) w.eval(axe);
  for (const width of widths) {
    frame.width = width;
    await wait(50);
    const over = d.documentElement.scrollWidth;
    if (over > width) bad.push(`${over} pixels wide on ${width}: ${wide(d, width)}`);
    const rules = {[widths[0]]: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
                   [widths[1]]: ['color-contrast']}[width];
    d.body.setAttribute('data-md-color-scheme', width == widths[0] ? 'default' : 'slate');
    for (const what of axe && rules ? await serious(w, rules) : []) bad.push(`${width}: ${what}`);
  }
  for (const e of w.performance.getEntriesByType('resource'))
    if (!e.name.startsWith(location.origin)) bad.push(`asks for ${e.name}`);
  frame.remove();
  for (const what of bad) await say('bad', `${page}: ${what}`);
  await say('seen', page);
}
async function search(page, word) {
  const frame = document.createElement('iframe');
  frame.width = 1280; frame.height = 800; frame.src = page;
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  const w = frame.contentWindow, d = frame.contentDocument;
  const input = d.querySelector('[data-md-component=search-query]');
  input.focus();
  input.value = word;
  let found = [];
  for (let k = 0; k < 100 && found.length == 0; k++) {
    input.dispatchEvent(new w.Event('keyup'));
    await wait(100);
    found = d.querySelectorAll('.md-search-result__item a');
  }
  if (found.length == 0) await say('bad', `${page}: the search finds no ${word}`);
  frame.remove();
}
(async () => {
  const how = await (await fetch('/how')).json();
  for (const page of how.pages)
    try { await look(page, how.widths, how.axe); }
    catch (e) { await say('bad', `${page}: ${e}`); await say('seen', page); }
  try { await search('/index.html', 'semiring'); }
  catch (e) { await say('bad', `the search: ${e}`); }
  await say('done', '');
})();
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, the page that looks at it, and what that says."""

    how, said = {}, []
    done = threading.Event()

    def do_GET(self):
        pages = {"/look": ("text/html", PAGE), "/how": ("application/json", json.dumps(self.how))}
        if self.path not in pages:
            return super().do_GET()
        kind, text = pages[self.path]
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        kind, text = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.said.append((kind, text))
        if kind == "bad":
            print(text, flush=True)
        if kind == "done":
            self.done.set()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def chromium(browser, profile, *more):
    return [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--force-device-scale-factor=1", f"--user-data-dir={profile}", *more]


def look_at_pages(browser, base, pages):
    """Prints complaints of all pages; how many."""
    axe = None
    if os.path.exists(AXE):
        with open(AXE, encoding="utf-8") as file:
            axe = file.read()
    else:
        print("check_pages: no build-axe/axe.min.js here, axe-core is left out")
    Handler.how = {"widths": WIDTHS, "pages": ["/" + p for p in pages], "axe": axe}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile: # children outlive it
        command = chromium(browser, profile, "--window-size=2000,900", "--remote-debugging-port=0",
                           base + "/look")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            finished = Handler.done.wait(LIMIT)
            process.terminate()
    bad = sum(kind == "bad" for kind, _ in Handler.said)
    seen = sum(kind == "seen" for kind, _ in Handler.said)
    if not finished or seen != len(pages):
        print(f"{seen} pages looked at, not {len(pages)}")
        bad += 1
    return bad


def small(path):
    from PIL import Image

    with Image.open(path) as image:
        return image.convert("L").resize((120, image.height * 120 // image.width))


def compare_shots(browser, base, accept):
    """Prints complaints of screenshots that differ from those kept; how many."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        print("check_pages: no PIL here (Debian: python3-pil), screenshots are not compared")
        return 0
    bad = 0
    os.makedirs(REFERENCE, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        for page in SHOTS:
            for width in WIDTHS:
                for number, scheme in enumerate(SCHEMES):
                    name = f"{page.split('/')[-1][:-5]}-{width}-{scheme}.png"
                    shot, kept = os.path.join(place, name), os.path.join(REFERENCE, name)
                    subprocess.run(chromium(browser, os.path.join(place, "profile" + scheme),
                                            f"--window-size={width},900", f"--screenshot={shot}",
                                            f"--blink-settings=preferredColorScheme={1 - number}",
                                            "--virtual-time-budget=5000", f"{base}/{page}"),
                                   check=True, capture_output=True, timeout=180)
                    now = small(shot)
                    if accept:
                        now.save(kept, optimize=True)
                        continue
                    before = small(kept).tobytes() if os.path.exists(kept) else b""
                    after = now.tobytes()
                    far = sum(abs(a - b) > DIFFERS for a, b in zip(before, after))
                    if len(before) != len(after) or far > SHARE * len(after):
                        bad += 1
                        print(f"{page} at {width} pixels, {scheme}, looks different from "
                              f"{os.path.relpath(kept, ROOT)}: see, and --accept")
    return bad


def main():
    folder = os.path.abspath(sys.argv[1])
    browser = shutil.which("chromium")
    if not browser:
        print("check_pages: no chromium here, pages are not looked at")
        return 0
    pages = sorted(os.path.relpath(page, folder)
                   for page in glob.glob(os.path.join(folder, "**", "*.html"), recursive=True))
    pages.remove("404.html")  # its paths are those of a server's root
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    only = [page for page in sys.argv[2:] if page != "--accept"]
    bad = look_at_pages(browser, base, only or pages)
    if not only or set(SHOTS) <= set(only):
        bad += compare_shots(browser, base, "--accept" in sys.argv[2:])
    print(f"check_pages: {len(only or pages)} pages at {WIDTHS} pixels, {bad} complaints")
    return 1 if bad else 0


sys.exit(main())
