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
        if match[1] in PAGES:
            return f"]({PAGES[match[1]]}{match[2] or ''})"
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
    html = FIGURE.sub(r'<a class="gblite-figure" href="\2">\1</a>', html)
    html = re.sub(r'href="repository:([^"]*)"', r'href="files/\1.txt"', html)
    return PAIR.sub(r'<div class="gblite-pair">\1\2</div>', html)


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
