// SPDX-License-Identifier: Apache-2.0
// Tables and code that are wider than the page can be reached and scrolled by keys, and say that they
// scroll; pages that were opened as files have no search.
"use strict";
if (location.protocol === "file:") document.documentElement.classList.add("gblite-file");
const look = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
        const wide = box.scrollWidth > box.clientWidth + 1;
        if (box.tagName !== "CODE") box.classList.toggle("gblite-wide", wide);
        if (wide) box.tabIndex = 0;
        else box.removeAttribute("tabindex");
    }
};
addEventListener("load", () => setTimeout(look, 50));
addEventListener("resize", look);
