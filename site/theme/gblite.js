// SPDX-License-Identifier: Apache-2.0
// Tables and code that are wider than the page can be reached and scrolled by keys, and say that they
// scroll. The search has a name and is scrolled by keys too; pages that were opened as files have none.
"use strict";
if (location.protocol === "file:") document.documentElement.classList.add("gblite-file");
const look = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
        const wide = box.scrollWidth > box.clientWidth;
        if (box.tagName !== "CODE") box.classList.toggle("gblite-wide", wide);
        if (wide && box.tabIndex !== 0) box.tabIndex = 0;
        else if (!wide) box.removeAttribute("tabindex"); // which is no mutation where there is none
    }
};
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
document.querySelector(".md-search__scrollwrap")?.setAttribute("tabindex", "0");
addEventListener("load", look);
addEventListener("resize", look);
document.fonts.addEventListener("loadingdone", look);
// Material decides by the widths of other fonts, and takes keys away again.
new MutationObserver(look).observe(document.body, {subtree: true, attributeFilter: ["tabindex"]});
