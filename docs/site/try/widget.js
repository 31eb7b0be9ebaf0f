// The interactive PRES: each <div class="pres-try"> becomes a ranking to play with.
//
// The div's data-ranks, data-n and data-nmax are its default state; all three are required.
// data-compact leaves out what only the full page needs. What the div contained is shown only where
// scripts do not run.
(function () {
  "use strict";

  const PRESETS = [
    ["System 1", [1]],
    ["System 2", [50, 51, 53, 54]],
    ["System 3", [1, 2, 3, 4]],
    ["System 4", [1, 98, 99, 100]],
  ].map(([name, ranks]) => ({ name, n: 4, nMax: 100, ranks: pres.resize(ranks, 4) }));

  const MEASURES = [
    ["pres", "PRES", true],
    ["presEst", "PRES_est", true],
    ["ap", "AP", true],
    ["recall", "Recall", true],
    ["ndcg", "nDCG", true],
    ["rPrecision", "R-precision", false], // Its cutoff is n.
  ];

  const LEGEND = [
    ["a1", "A1: lost"],
    ["a2", "A2: kept"],
    ["ranking", "this ranking"],
    ["best", "best case"],
    ["worst", "worst case"],
    ["missed", "missed"],
  ];

  // Keys that move a document, and by how many ranks.
  const STEPS = {
    ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10,
  };

  // The picture's margins in pixels. The zone is where missed documents are.
  const LEFT = 44, TOP = 24, BOTTOM = 40, RIGHT = 8, ZONE = 66;

  const SVG = "http://www.w3.org/2000/svg";
  const SVG_TAGS = new Set(["svg", "g", "path", "line", "rect", "circle", "text"]);

  // Make an element. Children are elements or texts.
  function make(tag, attributes = {}, ...children) {
    const element = SVG_TAGS.has(tag)
      ? document.createElementNS(SVG, tag) : document.createElement(tag);
    set(element, attributes);
    element.append(...children);
    return element;
  }

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  }

  const button = (text, action) => {
    const element = make("button", { type: "button" }, text);
    element.addEventListener("click", action);
    return element;
  };

  // ------------------------------------------------------------------ the parts of a widget

  function makePicture() {
    const layers = {};
    for (const name of ["zone", "grid", "a1", "a2", "limit", "worst", "best", "ranking", "texts"])
      layers[name] = make(/zone|grid|texts/.test(name) ? "g" : "path", { class: name });
    layers.markers = make("g", {});
    layers.tip = make("text", { class: "tip" });
    const label = "Ranking: move each relevant document with the arrow keys or by dragging";
    const svg = make("svg", { role: "group", "aria-label": label }, ...Object.values(layers));
    return { svg, layers };
  }

  function makeLegend() {
    const entries = LEGEND.map(([name, text]) =>
      make("span", {}, make("i", { class: name, "aria-hidden": "true" }), text));
    return make("div", { class: "legend" }, ...entries);
  }

  function makeValues() {
    const fields = {};
    const cells = MEASURES.map(([key, name]) => {
      fields[key] = { label: make("span", {}, name), value: make("b", { "data-measure": key }) };
      return make("span", { class: "value" }, fields[key].label, " ", fields[key].value);
    });
    const live = { class: "values", "aria-live": "polite", "aria-atomic": "true" };
    return { output: make("output", live, ...cells), fields };
  }

  // A number with its name, and on the full page also a slider.
  function makeNumber(name, max, isCompact, change) {
    const limits = { min: 1, max, step: 1 };
    const number = make("input", { type: "number", inputmode: "numeric", ...limits });
    const inputs = [number];
    if (!isCompact) inputs.push(make("input", { type: "range", "aria-label": name, ...limits }));
    for (const input of inputs) input.addEventListener("input", () => change(input.value));
    const label = make("label", {}, name, number);
    return { element: make("div", { class: "number" }, label, ...inputs.slice(1)), inputs };
  }

  function makeRanks(change) {
    const input = make("input", { type: "text", inputmode: "numeric", spellcheck: "false" });
    input.addEventListener("change", () => change(input.value));
    const label = make("label", { class: "ranks" }, "Ranks of the relevant documents", input);
    return { element: label, input };
  }

  // ------------------------------------------------------------------ drawing

  // Steps of 1, 2 or 5 times a power of ten, at most `count` of them up to `last`.
  function ticks(last, count) {
    let step = 1;
    while (last / step > count) step *= /^2/.test(step) ? 2.5 : 2;
    return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  }

  function makeScale(svg, { n, nMax }) {
    const width = svg.clientWidth || 600, height = svg.clientHeight || 300;
    const perRank = Math.min((width - LEFT - RIGHT) / (nMax + n), (width - LEFT - ZONE) / nMax);
    const perDocument = (height - TOP - BOTTOM) / n;
    return {
      width, height, perRank,
      bottom: height - BOTTOM,
      x: (rank) => LEFT + rank * perRank,
      y: (documents) => height - BOTTOM - documents * perDocument,
    };
  }

  // A curve that rises by one at each rank and ends at the last rank of the picture.
  function stepPath({ x, y }, ranks, end) {
    const steps = ranks.map((rank, i) => `H${x(rank)}V${y(i + 1)}`);
    return `M${x(0)} ${y(0)}${steps.join("")}H${x(end)}`;
  }

  // The area between two curves: one rectangle for each document.
  function areaPath({ x, y }, from, to) {
    const rectangle = (left, i) => `M${x(left)} ${y(i)}H${x(to[i])}V${y(i + 1)}H${x(left)}Z`;
    return from.map(rectangle).join("");
  }

  function drawAxes(layers, scale, { n, nMax }) {
    const { x, y, width, bottom } = scale;
    const text = (content, left, top, attributes) =>
      make("text", { x: left, y: top, ...attributes }, content);
    const ranks = ticks(nMax, Math.max(1, Math.min(6, (x(nMax) - LEFT) / 50)));
    const upwards = `translate(13 ${(bottom + TOP) / 2}) rotate(-90)`;
    layers.texts.replaceChildren(
      ...ranks.map((rank) => text(rank, x(rank), bottom + 17, { class: "middle" })),
      ...ticks(n, 5).map((count) => text(count, LEFT - 6, y(count) + 4, { class: "end" })),
      text("rank (documents checked)", LEFT, bottom + 35),
      text("relevant found", 0, 0, { class: "middle", transform: upwards }),
      text("missed", x(nMax) + 5, TOP - 9),
    );
    if (x(nMax) > LEFT + 85)
      layers.texts.append(text(`Nmax = ${nMax}`, x(nMax), TOP - 9, { class: "end" }));
    layers.zone.replaceChildren(
      make("rect", { x: x(nMax), y: TOP, width: width - x(nMax), height: bottom - TOP }));
    layers.grid.replaceChildren(
      ...ticks(n, 5).map((count) =>
        make("line", { x1: LEFT, x2: x(nMax), y1: y(count), y2: y(count) })));
    set(layers.limit, { d: `M${x(nMax)} ${TOP - 4}V${bottom}` });
  }

  function drawCurves(layers, scale, { ranks, n, nMax }) {
    const { best, ranking, worst } = pres.curves(ranks, n, nMax);
    set(layers.a1, { d: areaPath(scale, best, ranking) });
    set(layers.a2, { d: areaPath(scale, ranking, worst) });
    set(layers.best, { d: stepPath(scale, best, nMax + n) });
    set(layers.ranking, { d: stepPath(scale, ranking, nMax + n) });
    set(layers.worst, { d: stepPath(scale, worst, nMax + n) });
    const areas = pres.score(ranks, n, nMax);
    nameArea(layers, scale, "A1", areas.a1, best, ranking);
    nameArea(layers, scale, "A2", areas.a2, ranking, worst);
  }

  // Write an area's name into its widest part, if there is enough room. The widths only increase
  // or only decrease from one document to the next.
  function nameArea(layers, { x, y }, name, area, from, to) {
    const widths = from.map((rank, i) => to[i] - rank);
    const isWide = (width) => width >= 0.8 * Math.max(...widths);
    const first = widths.findIndex(isWide), last = widths.findLastIndex(isWide);
    const left = Math.max(from[first], from[last]), right = Math.min(to[first], to[last]);
    if (x(right) - x(left) < 80 || y(first) - y(last + 1) < 18) return;
    const at = { x: x((left + right) / 2), y: (y(first) + y(last + 1)) / 2 + 5 };
    layers.texts.append(make("text", { ...at, class: "middle area" }, `${name} = ${area}`));
  }

  function rankText(rank, nMax) {
    if (rank <= nMax) return `rank ${rank}`;
    return rank === pres.NOT_FOUND ? "missed" : `rank ${rank}, after Nmax, counts as missed`;
  }

  // Markers are in the order of their ranks, so that Tab visits them in this order.
  function drawMarkers(layers, scale, { ranks, n, nMax }) {
    while (layers.markers.childElementCount > n) layers.markers.lastChild.remove();
    while (layers.markers.childElementCount < n) layers.markers.append(makeMarker());
    const { ranking } = pres.curves(ranks, n, nMax);
    const size = n > 12 ? 4.5 : 7;
    [...layers.markers.children].forEach((marker, i) => {
      set(marker, {
        class: ranks[i] <= nMax ? "marker" : "marker missed",
        transform: `translate(${scale.x(ranking[i])} ${scale.y(i + 1)})`,
        "aria-label": `Relevant document ${i + 1} of ${n}`,
        "aria-valuemax": nMax + 1,
        "aria-valuenow": Math.min(ranks[i], nMax + 1),
        "aria-valuetext": rankText(ranks[i], nMax),
      });
      set(marker.lastChild, { r: size });
    });
  }

  function makeMarker() {
    const slider = { role: "slider", tabindex: 0, "aria-valuemin": 1 };
    const [hit, dot] = [make("circle", { class: "hit", r: 20 }), make("circle", { class: "dot" })];
    return make("g", slider, hit, dot);
  }

  // Show the rank of the focused document next to it.
  function drawTip(layers, scale, { ranks, n, nMax }) {
    const index = [...layers.markers.children].indexOf(document.activeElement);
    layers.tip.textContent = index < 0 ? "" : rankText(ranks[index], nMax).replace(/,.*/, "");
    if (index < 0) return;
    const at = scale.x(pres.curves(ranks, n, nMax).ranking[index]);
    const isLeft = at > scale.width / 2;
    set(layers.tip, {
      x: at + (isLeft ? -13 : 13),
      y: Math.max(TOP + 12, scale.y(index + 1) - 8),
      class: isLeft ? "tip end" : "tip",
    });
  }

  function showValues({ fields }, { ranks, n, nMax }) {
    const scores = pres.score(ranks, n, nMax);
    for (const [key, name, hasCutoff] of MEASURES) {
      fields[key].label.textContent = hasCutoff ? `${name}@${nMax}` : name;
      fields[key].value.textContent = scores[key].toFixed(4);
    }
  }

  // Describe the picture in a sentence.
  function summary({ ranks, n, nMax }) {
    const { a1, a2, found, pres: value } = pres.score(ranks, n, nMax);
    const division = `${a2} / ${a1 + a2} = ${value.toFixed(4)}`;
    return `${found} of ${n} found. PRES = A2 / (A1 + A2) = ${division}`;
  }

  // Do not rewrite an input while somebody types into it.
  function showInput(input, value) {
    if (input !== document.activeElement || input.type === "range") input.value = value;
  }

  // ------------------------------------------------------------------ moving documents

  const positionIn = (svg, event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  // The areas that react to a pointer overlap where ranks are close: take the nearest document.
  function nearestMarker(scale, { ranks, n, nMax }, [x, y]) {
    const { ranking } = pres.curves(ranks, n, nMax);
    const distances = ranking.map((rank, i) => Math.hypot(scale.x(rank) - x, scale.y(i + 1) - y));
    return distances.indexOf(Math.min(...distances));
  }

  function listenToPointer(svg, widget) {
    let drag = null;
    svg.addEventListener("pointerdown", (event) => {
      if (!event.target.closest(".marker") || event.button !== 0) return;
      event.preventDefault();
      const at = positionIn(svg, event), scale = makeScale(svg, widget.state);
      const index = nearestMarker(scale, widget.state, at);
      const { ranks, n, nMax } = widget.state;
      const rank = pres.curves(ranks, n, nMax).ranking[index];
      drag = { index, start: at[0], from: rank };
      svg.setPointerCapture(event.pointerId);
      widget.focus(index);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const moved = positionIn(svg, event)[0] - drag.start;
      if (!drag.hasMoved && Math.abs(moved) < 3) return; // A click moves nothing.
      drag.hasMoved = true;
      const target = drag.from + moved / makeScale(svg, widget.state).perRank;
      drag.index = widget.move(drag.index, Math.round(target));
    });
    // Without this, some browsers scroll the page instead.
    svg.addEventListener("touchstart", (event) => {
      if (event.target.closest(".marker")) event.preventDefault();
    }, { passive: false });
    for (const end of ["pointerup", "pointercancel"])
      svg.addEventListener(end, () => { drag = null; });
  }

  function listenToKeys(markers, widget) {
    markers.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const index = [...markers.children].indexOf(event.target);
      const { ranks, nMax } = widget.state;
      const step = STEPS[event.key];
      if (step) widget.move(index, Math.min(ranks[index], nMax + 1) + step, Math.sign(step));
      else if (event.key === "Home") widget.move(index, 1, 1);
      else if (event.key === "End") widget.move(index, pres.NOT_FOUND);
      else return;
      event.preventDefault();
    });
  }

  // ------------------------------------------------------------------ the widget

  // The controls of a widget. Each of them calls the method that makes its change.
  function makeControls(widget, isCompact) {
    const { nMax: maxNMax, n: maxN } = pres.LIMITS;
    const changeNMax = (text) => widget.changeNMax(text);
    const changeN = (text) => widget.changeN(text);
    return {
      presets: PRESETS.map((preset) => button(preset.name, () => widget.replace(preset))),
      nMax: makeNumber("Results checked (Nmax)", maxNMax, isCompact, changeNMax),
      n: makeNumber("Relevant documents (n)", maxN, isCompact, changeN),
      ranks: isCompact ? null : makeRanks((text) => widget.changeRanks(text)),
      copy: button("Copy link", () => widget.copyLink()),
      reset: button("Reset", () => widget.reset()),
    };
  }

  // One ranking on the page. Every change of the state goes through `update`, so that the picture,
  // the values and the controls always show the same ranking.
  class Widget {
    constructor(element) {
      const { ranks, n, nmax } = element.dataset;
      this.element = element;
      this.defaults = pres.readState({ n, nMax: nmax, ranks });
      this.state = this.defaults;
      // The ranks before n was changed, so that n can be changed back.
      this.kept = this.state.ranks;
      this.picture = makePicture();
      this.values = makeValues();
      this.sentence = make("p", { class: "sentence" });
      this.status = make("p", { class: "status", role: "status" });
      this.controls = makeControls(this, "compact" in element.dataset);
    }

    start() {
      this.layOut();
      this.listen();
      this.update(this.state);
      this.restore();
      window.addEventListener("hashchange", () => this.restore());
      new ResizeObserver(() => this.draw()).observe(this.picture.svg);
    }

    layOut() {
      const { presets, nMax, n, ranks, copy, reset } = this.controls;
      this.element.replaceChildren(
        make("div", { class: "buttons", role: "group", "aria-label": "Examples" }, ...presets),
        this.picture.svg, makeLegend(), this.sentence, this.values.output,
        make("div", { class: "numbers" }, nMax.element, n.element),
        ...(ranks ? [ranks.element] : []),
        make("div", { class: "buttons" }, copy, reset, this.status),
      );
    }

    listen() {
      listenToPointer(this.picture.svg, this);
      listenToKeys(this.picture.layers.markers, this);
      this.element.addEventListener("focusin", () => this.draw());
      // An input that was left with an invalid number shows the valid one again. The focus has
      // moved on only after this event.
      this.element.addEventListener("focusout", () => setTimeout(() => {
        this.showNumbers();
        this.draw();
      }));
    }

    // ---------------------------------------------------------------- showing the state

    update(state, message = "") {
      this.state = state;
      this.draw();
      showValues(this.values, state);
      this.sentence.textContent = summary(state);
      this.say(message);
      this.showNumbers();
      this.showRanks();
      this.showPreset();
    }

    draw() {
      const { state, picture: { svg, layers } } = this;
      const scale = makeScale(svg, state);
      set(svg, { viewBox: `0 0 ${scale.width} ${scale.height}` });
      drawAxes(layers, scale, state);
      drawCurves(layers, scale, state);
      drawMarkers(layers, scale, state);
      drawTip(layers, scale, state);
    }

    showNumbers() {
      const { n, nMax } = this.controls;
      for (const input of n.inputs) showInput(input, this.state.n);
      for (const input of nMax.inputs) showInput(input, this.state.nMax);
    }

    showRanks() {
      const { ranks } = this.controls;
      if (ranks) ranks.input.value = pres.writeRanks(this.state.ranks, ", ");
    }

    showPreset() {
      this.controls.presets.forEach((preset, i) =>
        set(preset, { "aria-pressed": isSame(PRESETS[i], this.state) }));
    }

    say(message) {
      this.status.textContent = message;
    }

    focus(index) {
      this.picture.layers.markers.children[index].focus({ preventScroll: true });
    }

    // ---------------------------------------------------------------- changing the state

    // A change of the ranks themselves: a later change of n starts from the new ones.
    replace(state, message) {
      this.kept = state.ranks;
      this.update(state, message);
    }

    // Return the document's new index: it can pass others.
    move(index, target, step) {
      const moved = pres.move(this.state.ranks, index, target, this.state.nMax, step);
      this.replace({ ...this.state, ranks: moved.ranks });
      this.focus(moved.index);
      return moved.index;
    }

    changeN(n) {
      this.tryChange(() => {
        // More ranks than n would be an error. Here they are made to fit the new n instead.
        const next = this.read({ n, ranks: "" });
        this.update({ ...next, ranks: pres.resize(this.kept, next.n) });
      });
    }

    changeNMax(nMax) {
      this.tryChange(() => this.update(this.read({ nMax })));
    }

    changeRanks(ranks) {
      this.tryChange(() => this.replace(this.read({ ranks })));
    }

    reset() {
      this.replace(this.defaults, "The ranking was reset.");
    }

    // The state with some of its parts replaced by what somebody typed.
    read(typed) {
      const { n, nMax, ranks } = this.state;
      const texts = { n: `${n}`, nMax: `${nMax}`, ranks: pres.writeRanks(ranks, ",") };
      return pres.readState({ ...texts, ...typed });
    }

    // Apply what somebody typed, or say why it cannot be used and keep the state.
    tryChange(change) {
      try {
        change();
      } catch (error) {
        this.say(messageOf(error));
      }
    }

    // ---------------------------------------------------------------- links

    async copyLink() {
      history.replaceState(null, "", pres.writeHash(this.element.id, this.state));
      try {
        await navigator.clipboard.writeText(location.href);
        this.say("Link copied.");
      } catch {
        this.say("Copy the link from the address bar.");
      }
    }

    // Show the ranking that the address contains, if it is meant for this widget.
    restore() {
      try {
        const linked = pres.readHash(this.element.id, location.hash);
        if (!linked) return;
        this.replace(linked, "This is the ranking from the link.");
      } catch (error) {
        const reason = messageOf(error);
        this.replace(this.defaults, `The link cannot be used. ${reason} The default is shown.`);
      }
      this.element.scrollIntoView({ block: "nearest" });
    }
  }

  // The message about an invalid input. Other errors are defects, so they are thrown again.
  function messageOf(error) {
    if (!(error instanceof pres.InputError)) throw error;
    return error.message;
  }

  function isSame(a, b) {
    return a.n === b.n && a.nMax === b.nMax && a.ranks.every((rank, i) => rank === b.ranks[i]);
  }

  function start() {
    document.querySelectorAll("div.pres-try").forEach((element, i) => {
      element.id ||= i ? `pres-try-${i + 1}` : "pres-try";
      new Widget(element).start();
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
