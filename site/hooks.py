# SPDX-License-Identifier: Apache-2.0
"""What MkDocs does with the pages of docs/ beyond its own: pages are written as code forges show
Markdown, and link to files of the repository. Headers become pages, other files stay text."""
import glob
import os
import re
import shutil
import sys
import tempfile

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "site"))
import headers  # noqa: E402

OUTSIDE = re.compile(r"\]\(\.\./([\w./-]+)(#[\w-]*)?\)")
LIST = re.compile(r"^(?:[-*] |\d+\. )")
PAIR = re.compile(r'(<div class="[^"]*language-c [^"]*">(?:(?!</div>).)*</div>)\s*'
                  r'(<div class="[^"]*language-python [^"]*">(?:(?!</div>).)*</div>)', re.S)
_linked = set()
_made = tempfile.TemporaryDirectory()


def on_files(files, config):
    """A page for each public header."""
    os.makedirs(os.path.join(_made.name, "headers"), exist_ok=True)
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "*.h"))):
        name = os.path.basename(path)
        made = f"headers/{name[:-2]}.md"
        with open(path, encoding="utf-8") as source:
            with open(os.path.join(_made.name, made), "w", encoding="utf-8") as file:
                file.write(headers.page(name, source.read()))
        files.append(File(made, _made.name, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, **_):
    """Links to files outside docs/; a blank line before each list, and an escaped < as HTML has it,
    which this kind of Markdown wants."""
    def inside(match):
        header = re.fullmatch(r"include/(\w+)\.h", match[1])
        if header:
            return f"](headers/{header[1]}.md)"
        _linked.add(match[1])
        return f"](repository:{match[1]})"

    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        before = lines[-1] if lines else ""
        if not fenced and LIST.match(line) and before and not re.match(r"[-*\d ]", before):
            lines.append("")
        lines.append(line if fenced or line.startswith("    ") else line.replace("\\<", "&lt;"))
    return OUTSIDE.sub(inside, "\n".join(lines))


def on_page_content(html, **_):
    """C and Python that follow each other stand side by side where there is room (gblite.css)."""
    html = re.sub(r'href="repository:([^"]*)"', r'href="files/\1.txt"', html)
    return PAIR.sub(r'<div class="gblite-pair">\1\2</div>', html)


def on_post_build(config, **_):
    for path in sorted(_linked):
        target = os.path.join(config["site_dir"], "files", path + ".txt")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), target)
