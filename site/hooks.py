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
import algorithms  # noqa: E402
import headers  # noqa: E402

OUTSIDE = re.compile(r"\]\(((?:\.\./)+)([\w./-]+)(#[\w-]*)?\)")
LIST = re.compile(r"^(?:[-*] |\d+\. )")
BLOCK = r'(<div class="[^"]*language-%s [^"]*">(?:(?!</div>).)*</div>)'
PAIR = re.compile(BLOCK % "c" + r"\s*(?:" + BLOCK % "python" + r")?\s*(?:" + BLOCK % "sh" + r")?", re.S)
SHORT = re.compile(r"<code>([^<]{1,30})</code>")  # fits on a line of a phone: is not broken
FIGURE = re.compile(r'(?<!">)(<img [^>]*?src="([^"]+)"[^>]*>)')
# Files of the repository that are pages of the site too.
PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
FONTS = {"Inter-Regular": "opentype/inter/Inter-Regular.otf",
         "Inter-SemiBold": "opentype/inter/Inter-SemiBold.otf",
         "Inter-Italic": "opentype/inter/Inter-Italic.otf",
         "JetBrainsMono-Regular": "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
         "JetBrainsMono-Bold": "truetype/jetbrains-mono/JetBrainsMono-Bold.ttf"}
_linked = set()
_made = tempfile.TemporaryDirectory()


def on_files(files, config):
    """A page for each public header, and for files that are pages too."""
    for path, made in PAGES.items():
        with open(os.path.join(ROOT, path), encoding="utf-8") as source:
            # its links are those of the repository's root
            text = re.sub(r"\]\((?!https?:|#)([^)]+)\)", r"](../\1)", source.read())
        with open(os.path.join(_made.name, made), "w", encoding="utf-8") as file:
            file.write(text.replace("](../docs/", "]("))
        files.append(File(made, _made.name, config["site_dir"], config["use_directory_urls"]))
    made = algorithms.pages()
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "*.h"))):
        name = os.path.basename(path)
        with open(path, encoding="utf-8") as source:
            made[f"headers/{name[:-2]}.md"] = headers.page(name, source.read())
    for path, text in made.items():
        target = os.path.join(_made.name, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        files.append(File(path, _made.name, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, **_):
    """Links to files outside docs/; a blank line before each list, and an escaped < as HTML has it,
    which this kind of Markdown wants."""
    depth = page.file.src_uri.count("/")
    if page.file.src_uri == "algorithms.md":
        markdown = algorithms.index(markdown)

    def inside(match):
        up, path, anchor = match[1], match[2], match[3] or ""
        if up.count("/") <= depth:
            return match[0]
        header = re.fullmatch(r"include/(\w+)\.h", path)
        if header:
            return f"]({'../' * depth}headers/{header[1]}.md)"
        if path in PAGES:
            return f"]({'../' * depth}{PAGES[path]}{anchor})"
        _linked.add(path)
        return f"](repository:{path})"

    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        before = lines[-1] if lines else ""
        if not fenced and LIST.match(line) and before and not re.match(r"[-*\d ]", before):
            lines.append("")
        lines.append(line if fenced or line.startswith("    ") else line.replace("\\<", "&lt;"))
    return OUTSIDE.sub(inside, "\n".join(lines))


def side_by_side(match):
    others = [block for block in match.groups()[1:] if block]
    if not others:
        return match[0]
    return f'<div class="gblite-pair">{match[1]}<div>{"".join(others)}</div></div>'


def on_page_content(html, page, **_):
    """C, Python and commands that follow each other stand side by side where there is room
    (gblite.css); figures lead to their full size."""
    up = "../" * page.file.src_uri.count("/")
    html = FIGURE.sub(r'<a class="gblite-figure" href="\2">\1</a>', html)
    html = re.sub(r'href="repository:([^"]*)"', rf'href="{up}files/\1.txt"', html)
    html = SHORT.sub(r'<code class="gblite-short">\1</code>', html)
    return PAIR.sub(side_by_side, html)


def make_fonts(folder):
    """The Latin letters, arrows and blocks of the fonts of packages.txt, as small files."""
    from fontTools import subset

    os.makedirs(folder, exist_ok=True)
    for name, path in FONTS.items():
        options = subset.Options(flavor="woff", layout_features=["kern", "liga", "tnum", "calt"])
        font = subset.load_font("/usr/share/fonts/" + path, options)
        letters = subset.Subsetter(options)
        letters.populate(unicodes=[*range(0x20, 0x250), *range(0x370, 0x400),
                                   *range(0x2000, 0x2600)])
        letters.subset(font)
        subset.save_font(font, os.path.join(folder, name + ".woff"), options)


def on_post_build(config, **_):
    make_fonts(os.path.join(config["site_dir"], "fonts"))
    for path in sorted(_linked):
        target = os.path.join(config["site_dir"], "files", path + ".txt")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), target)
