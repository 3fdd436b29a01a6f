#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# check_pages.py FOLDER: opens every page of the site in a headless chromium, as wide as a phone and
# as a laptop, and complains of pages that are wider than the screen, pictures that do not load or
# have no text, and whatever is asked of another server. Without chromium it says so.
import functools
import glob
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

WIDTHS = [390, 1280]
PAGE = """<!doctype html><title>check</title><pre id=out></pre><script>
const say = line => document.getElementById('out').textContent += line + '\\n';
const wide = (d, width) => [...d.querySelectorAll('.md-content *')]
    .filter(e => e.getBoundingClientRect().right > width + 1 && !e.closest('pre, table'))
    .slice(0, 3).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 40));
async function look(page, width) {
  const frame = document.createElement('iframe');
  frame.width = width; frame.height = 800; frame.src = page;
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  await new Promise(done => setTimeout(done, 100));
  const d = frame.contentDocument, over = d.documentElement.scrollWidth;
  if (over > width) say(`BAD ${page}: ${over} pixels wide on ${width}: ${wide(d, width)}`);
  for (const i of d.images) {
    if (!i.complete || i.naturalWidth == 0) say(`BAD ${page}: no picture ${i.getAttribute('src')}`);
    if (!i.alt) say(`BAD ${page}: a picture without text, ${i.getAttribute('src')}`);
  }
  for (const e of frame.contentWindow.performance.getEntriesByType('resource'))
    if (!e.name.startsWith(location.origin)) say(`BAD ${page}: asks for ${e.name}`);
  say(`SEEN ${page}`);
  frame.remove();
}
(async () => { for (const width of WIDTHS) for (const page of PAGES) await look(page, width); })();
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, and the page that looks at it."""

    page = b""

    def do_GET(self):
        if self.path != "/look":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_):
        pass


def main():
    folder = os.path.abspath(sys.argv[1])
    browser = shutil.which("chromium")
    if not browser:
        print("check_pages: no chromium here, pages are not looked at")
        return 0
    pages = sorted(os.path.relpath(page, folder)
                   for page in glob.glob(os.path.join(folder, "**", "*.html"), recursive=True))
    pages.remove("404.html")  # its paths are those of a server's root
    page = PAGE.replace("PAGES", json.dumps(["/" + p for p in pages]))
    Handler.page = page.replace("WIDTHS", json.dumps(WIDTHS)).encode()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--window-size=1400,900", "--virtual-time-budget=120000", "--dump-dom",
             f"http://127.0.0.1:{server.server_port}/look"],
            capture_output=True, text=True, timeout=300)
    bad = re.findall(r"^(?:<.*>)?BAD (.*)$", done.stdout, re.M)
    seen = len(re.findall(r"^(?:<.*>)?SEEN /", done.stdout, re.M))
    if seen != len(pages) * len(WIDTHS):
        bad.append(f"{seen} pages looked at, not {len(pages) * len(WIDTHS)}: {done.stderr[-500:]}")
    for line in bad:
        print(line)
    print(f"check_pages: {len(pages)} pages at {WIDTHS} pixels, {len(bad)} complaints")
    return 1 if bad else 0


sys.exit(main())
