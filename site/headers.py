# SPDX-License-Identifier: Apache-2.0
"""A public header as a page: rules in its comments are headings, "name:" at the start of a comment
is a heading of its own, comments are text, and the rest is code."""
import html
import re

NAME = re.compile(r"\b(?:gbl_|GBL_|GBLITE_|GB_)\w+")
ITEM = re.compile(r" +(\d+\.|-) ")
PART = re.compile(r" (Errors|Cost|Workspace|Sources?): ")
RULE = re.compile(r"/\* -{4,} (.*?) -+ \*/")
START = re.compile(r"^(gbl_\w+): ")
NOISE = re.compile(r"#(ifndef|define) GBLITE_\w+_H$|#(if|ifdef|endif|undef|pragma|include)\b|"
                   r'extern "C" \{|\}$|/\* clang-format')


def blocks(lines):
    """(kind, lines) of a header: "comment" or "code", comments only from the first column on."""
    found, inside = [], False
    for line in lines:
        kind = "comment" if inside or line.startswith("/*") else "code"
        if not found or found[-1][0] != kind or (kind == "comment" and not inside):
            found.append((kind, []))
        found[-1][1].append(line)
        inside = kind == "comment" and "*/" not in line
    return found


def text_of(lines):
    """A comment without its stars."""
    text = "\n".join(re.sub(r"^ ?(/\*| \*|\*)/? ?", "", line) for line in lines)
    return text.rsplit("*/", 1)[0].strip("\n ")


def prose(text):
    """Paragraphs and lists of a comment as HTML; lines that are indented far stay as they are."""
    out, now = [], []

    def flush():
        if now:
            words = html.escape(" ".join(line.strip() for line in now), quote=False)
            words = re.sub(r"`(\w+)`", r"<code>\1</code>", NAME.sub(r"<code>\g<0></code>", words))
            words = PART.sub(r"</p>\n<p><strong>\1:</strong> ", words)
            out.append("<p>" + words + "</p>")
            now.clear()

    for line in text.split("\n"):
        if re.match(r" {4,}\S", line) and not now:
            out.append("<pre><code>" + html.escape(line.strip(), quote=False) + "</code></pre>")
            continue
        ends_item = now and ITEM.match(now[0]) and line[:1] != " " and now[-1].endswith(".")
        if not line.strip() or ITEM.match(line) or ends_item:
            flush()
        if line.strip():
            now.append(line)
    flush()
    return "\n".join(out).replace("</code></pre>\n<pre><code>", "\n")


def page(name, source):
    """The header of this name as Markdown."""
    out, first = [f"# {name}"], True
    for kind, lines in blocks(source.split("\n")):
        if kind == "code":
            code = [line.rstrip(" \\") for line in lines if not NOISE.match(line)]
            code = "\n".join(code).strip("\n")
            if code.strip():
                out.append(f"```c\n{code}\n```")
            continue
        rule = RULE.match(lines[0])
        if rule:
            out.append("## " + rule[1][0].upper() + rule[1][1:])
            continue
        text = text_of(lines)
        if first:  # the head of the file, behind its licence
            text, first = text.split("\n", 1)[-1].strip("\n"), False
        names = []
        while (found := START.match(text)) and found[1] not in names:
            names.append(found[1])
            rest = text[found.end():]
            following = re.search(r"\n(?=gbl_\w+: )", rest)
            if following and "\n" not in rest[:following.start()].strip("\n"):
                out.append("### " + found[1] + "\n\n" + prose(rest[:following.start()]))
                text = rest[following.end():]
            else:
                out.append("### " + found[1])
                text = rest
                break
        out.append(prose(text))
    return "\n\n".join(out) + "\n"
