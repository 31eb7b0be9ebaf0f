// What the theme leaves to a site: formulas, what the copy button copies, wide columns, and where
// long names break.
(function () {
  "use strict";

  // pymdownx.arithmatex writes \(…\) within a line and \[…\] on lines of its own.
  function typeset() {
    for (const formula of document.querySelectorAll(".arithmatex")) {
      const source = formula.textContent.trim();
      const displayMode = source.startsWith("\\[");
      katex.render(source.slice(2, -2), formula, { displayMode, throwOnError: false });
      if (!displayMode) keepMark(formula);
    }
  }

  // A comma or full stop after a short formula stays on its line. KaTeX breaks others between parts.
  function keepMark(formula) {
    const text = formula.nextSibling;
    const mark = text instanceof Text && /^[.,;:!?)]+/.exec(text.data);
    const parts = formula.querySelectorAll(".katex-html > *");
    if (!mark || parts.length > 1) return;
    const together = document.createElement("span");
    together.style.whiteSpace = "nowrap";
    text.splitText(mark[0].length);
    formula.replaceWith(together);
    together.append(formula, text);
  }

  // The commands of a transcript: lines after the prompt, and the lines that continue them. A line
  // is continued by the last character of `continued`, or until a here-document ends.
  function commands(text, prompt, continued) {
    const copied = [];
    let more = false;
    let ending = null;
    for (const line of text.split("\n")) {
      let command = line;
      if (ending !== null) {
        more = line.trim() !== ending;
      } else {
        if (line.startsWith(prompt)) {
          command = line.slice(prompt.length);
        } else if (!more) {
          continue;
        } else if (/^>>? /.test(line)) {
          command = line.replace(/^>>? /, "");
        }
        const hereDocument = prompt === "$ " && /<<-?\s*(['"]?)(\w+)\1/.exec(command);
        ending = hereDocument ? hereDocument[2] : null;
        more = ending !== null || command.endsWith(continued);
      }
      if (!more) ending = null;
      copied.push(command);
    }
    return copied.join("\n");
  }

  function prepareCopying() {
    const prompts = { console: ["$ ", "\\"], powershell: ["PS> ", "`"] };
    for (const [language, [prompt, continued]] of Object.entries(prompts)) {
      for (const block of document.querySelectorAll(`.language-${language}`)) {
        const text = block.querySelector("code").textContent;
        // The theme copies this attribute, if there is one, instead of what is shown.
        if (text.split("\n").some((line) => line.startsWith(prompt))) {
          block.setAttribute("data-copy", commands(text, prompt, continued));
        }
      }
    }
  }

  // The number of characters that a cell shows: KaTeX adds each formula a second time, hidden.
  function shownLength(cell) {
    const hidden = [...cell.querySelectorAll(".katex-mathml")];
    const all = cell.textContent.trim().length;
    return hidden.reduce((sum, formula) => sum - formula.textContent.length, all);
  }

  // A column is as wide as its longest text, up to some 24 characters; longer texts break there.
  function widenColumns() {
    for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
      const longest = [];
      for (const row of table.rows) {
        [...row.cells].forEach((cell, column) => {
          const characters = cell.colSpan > 1 ? 0 : shownLength(cell);
          longest[column] = Math.max(longest[column] || 0, characters);
        });
      }
      const head = table.rows[0];
      if (!head) continue;
      [...head.cells].forEach((cell, column) => {
        if (cell.colSpan > 1) return;
        const most = longest[column] > 80 ? 32 : 24;
        const width = `calc(${Math.min(longest[column], most)}ch + 2.5em)`;
        // The first column stays while the others scroll, so it leaves them room on a phone.
        cell.style.minWidth = column === 0 ? `min(${width}, 38vw)` : width;
      });
    }
  }

  // Long names break after a dot, a slash, an underscore or an equals sign, if they have to.
  function breakNames() {
    const names = ".md-typeset .doc-heading, .md-typeset td:first-child";
    for (const name of document.querySelectorAll(names)) {
      const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) {
        if (text.parentElement.closest(".arithmatex, .headerlink")) continue;
        const parts = text.data.split(/(?<=[./_=])(?=\w)/);
        if (parts.length === 1) continue;
        text.replaceWith(...parts.flatMap((part, i) => {
          return i ? [document.createElement("wbr"), part] : [part];
        }));
      }
    }
  }

  typeset();
  prepareCopying();
  widenColumns();
  breakNames();
})();
