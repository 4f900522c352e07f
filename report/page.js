// Answers pointer and keys. The maps are in the page already; all numbers are in #data, which
// report/data.hpp describes: nothing is computed here that is more than its place in a picture.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const CERTAINTIES = ["decided", "undecided", "fewer than 3 launches"];
  const CANDIDATE = 8; // numbers of a candidate
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Words
  const three = (value) =>
    value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
  const bytes = (n) => {
    let unit = 0;
    for (; unit < 3 && n >= 1024 && n % 1024 === 0; ++unit) n /= 1024;
    return `${n} ${["B", "KiB", "MiB", "GiB"][unit]}`;
  };
  const shortBytes = (n) => bytes(n).replace(/ (\w?).*/, (all, unit) => (unit === "B" ? "" : unit));
  const unitOf = (us) => (us < 1e3 ? [1, "µs"] : us < 1e6 ? [1e3, "ms"] : [1e6, "s"]);
  const time = (us) => `${three(us / unitOf(us)[0])} ${unitOf(us)[1]}`;
  const interval = (us, low, high) => {
    const [scale, unit] = unitOf(us);
    return `${three(us / scale)} (${three(low / scale)}–${three(high / scale)}) ${unit}`;
  };
  const ratio = ([middle, low, high]) => `${three(middle)} (${three(low)} to ${three(high)})`;
  const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

  // Cells
  class Cell {
    constructor(sheet, fields) {
      this.sheet = sheet;
      [this.row, this.size, this.chosen, this.certainty, this.nearBest, this.speedup, this.regrets,
       this.counts, this.oversubscribed, this.program, this.schedule, this.numbers,
       this.unmeasured = []] = fields;
    }
    get candidates() {
      const found = [];
      for (let i = 0; i < this.numbers.length; i += CANDIDATE) {
        const [variant, median, low, high, middle, least, most, count] =
          this.numbers.slice(i, i + CANDIDATE);
        found.push({variant: data.variants[variant], median, low, high,
                    ratio: [middle, least, most], launches: count,
                    chosen: i === CANDIDATE * this.chosen});
      }
      return found;
    }
    get choice() { return data.variants[this.numbers[CANDIDATE * this.chosen]]; }
    get procs() { return this.sheet.rows[this.row][0]; }
    get bytes() { return this.sheet.sizes[this.size]; }
    get place() {
      const [procs, nodes, each] = this.sheet.rows[this.row];
      return `${this.sheet.collective}, p = ${procs}` +
        (nodes > 1 ? ` on ${nodes} nodes of ${each}, mapping ${this.sheet.mapping}` : "") +
        (this.sheet.data ? `, ${bytes(this.bytes)}` : "");
    }
    get verdict() {
      const sure = this.certainty === 0 ? "decided" :
        `${CERTAINTIES[this.certainty]}: within 3 % of the fastest with a probability of ` +
        percent(this.nearBest);
      const gain = !this.speedup ? "" : this.choice.id === "native" ? "; no rule of a table pays" :
        `; ${ratio(this.speedup)} times as fast as the default`;
      const saved = this.program && this.program.length > 1 ?
        `; the program spends ${three(this.program[0])} s here, saved ${three(this.program[1])} s ` +
        `(${three(this.program[2])} to ${three(this.program[3])})` : "";
      return this.choice.name + gain + "; " + sure + saved;
    }
  }

  /** Why a candidate is not the choice: one that was slower by far got fewer launches. */
  const why = (candidate, most) =>
    candidate.chosen ? "chosen" :
    candidate.launches < most ? "dropped" :
    candidate.ratio[1] <= 1.03 ? "may be as fast" : "slower";

  const panels = d3.selectAll("figure.panel").each(function () {
    const sheet = data.subjects[this.dataset.subject].sheets[this.dataset.sheet];
    sheet.subject = data.subjects[this.dataset.subject];
    const cells = sheet.cells.map((fields) => new Cell(sheet, fields));
    sheet.rects = d3.select(this).selectAll(".cells rect").data(cells)
      .attr({role: "button", tabindex: (d, i) => (i === 0 ? 0 : -1),
             "aria-label": (d) => `${d.place}: ${d.verdict}`})
      .on("mouseenter", function (d) { tell(d, this); })
      .on("mouseleave", hush).on("blur", hush)
      .on("focus", function (d) { if (this.matches(":focus-visible")) tell(d, this); })
      .on("click", function (d) { open(d, this); })
      .on("keydown", function (d) { onKey(d, this, d3.event); });
    sheet.at = {};
    sheet.rects.each(function (d) { sheet.at[[d.row, d.size]] = this; });
    sheet.mapSvg = this.querySelector("svg.map");
  });
  const all = panels.selectAll(".cells rect");
  const cells = [];
  all.each((d) => cells.push(d));

  function onKey(d, rect, event) {
    const step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0]}[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(d, rect);
    }
    if (!step) return;
    event.preventDefault();
    let [row, size] = [d.row, d.size];
    do { row += step[0]; size += step[1]; } while (
      row >= 0 && size >= 0 && row < d.sheet.rows.length && size < d.sheet.sizes.length &&
      !d.sheet.at[[row, size]]);
    const next = d.sheet.at[[row, size]];
    if (!next) return;
    rect.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  }

  // What hovering tells
  const tip = d3.select("body").append("div").attr({id: "tip", "aria-hidden": true, hidden: ""});
  function tell(d, rect) {
    const most = 6;
    tip.attr("hidden", null).html("");
    tip.append("h3").text(d.place);
    tip.append("p").text(d.verdict);
    rows(tip.append("table"), d, d.candidates.slice(0, most), ["", "time", "launches"]);
    const more = d.candidates.length - most;
    const missing = d.unmeasured.length / 2;
    tip.append("p").attr("class", "note").text(
      [more > 0 ? `${more} slower candidates more` : "", missing ? `${missing} not measured` : "",
       d.oversubscribed ? "more processes than cores" : "", "click for all, curves and schedule"]
        .filter(Boolean).join("; "));
    const at = rect.getBoundingClientRect();
    const own = tip.node().getBoundingClientRect();
    const left = Math.min(Math.max(8, at.left), innerWidth - own.width - 8);
    const below = at.bottom + 10;
    const top = below + own.height < innerHeight ? below : Math.max(8, at.top - own.height - 10);
    tip.style({left: `${left}px`, top: `${top}px`});
  }
  function hush() { tip.attr("hidden", ""); }

  function rows(table, d, candidates, heads) {
    const most = d3.max(d.candidates, (each) => each.launches);
    table.append("thead").append("tr").selectAll("th").data(heads).enter().append("th").text(String);
    const row = table.append("tbody").selectAll("tr").data(candidates).enter().append("tr")
      .classed("chosen", (each) => each.chosen);
    row.append("td").text((each) => each.variant.name);
    row.append("td").attr("class", "number").text((each) => each.launches > 1 ?
      interval(each.median, each.low, each.high) : time(each.median));
    row.append("td").text((each) => `${each.launches}, `)
      .append("span").attr("class", "note").text((each) => why(each, most));
    return row;
  }

  // What a click opens
  const detail = d3.select("#detail").attr({role: "dialog", "aria-label": "One cell"});
  let opener = null;
  let player = null;
  function close() {
    if (player) player.stop();
    detail.attr("hidden", "");
    document.body.classList.remove("open");
    all.classed("picked", false);
    if (opener) opener.focus();
    opener = null;
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") { hush(); close(); } });

  function open(d, rect) {
    hush();
    if (player) player.stop();
    opener = rect;
    all.classed("picked", false);
    d3.select(rect).classed("picked", true);
    document.body.classList.add("open");
    detail.attr("hidden", null).html("").node().scrollTop = 0;
    detail.append("button").attr({class: "close", "aria-label": "Close"}).text("✕").on("click", close);
    detail.append("h2").text(d.place);
    detail.append("p").attr("class", "note").text(
      [d.sheet.data, d.counts && `${d.counts} counts`, d.sheet.subject.database]
        .filter(Boolean).join(" · "));
    detail.append("p").text(d.verdict + ".");
    scheduleOf(d);
    if (d.sheet.sizes.length > 1) curvesOf(d);
    candidatesOf(d);
    detail.select(".close").node().focus();
  }

  function candidatesOf(d) {
    detail.append("h3").text("Candidates");
    const found = d.candidates;
    const low = d3.min(found, (each) => each.ratio[1]);
    const high = Math.min(d3.max(found, (each) => each.ratio[2]), 8);
    const x = d3.scale.log().domain([Math.min(low, 0.95), Math.max(high, 1.05)]).range([6, 174]).clamp(true);
    const table = detail.append("table");
    const row = rows(table, d, found,
      ["algorithm", "median, interval", "launches", "time / the choice's"]);
    const bar = row.append("td").attr("class", "bar").append("svg")
      .attr({class: "interval", viewBox: "0 0 180 18", role: "img",
             "aria-label": (each) => `${ratio(each.ratio)} times the choice's time`});
    bar.append("title").text((each) => ratio(each.ratio));
    bar.append("line").attr({class: "one", x1: x(1), x2: x(1), y1: 0, y2: 18});
    bar.append("line").attr({x1: (each) => x(each.ratio[1]), x2: (each) => x(each.ratio[2]), y1: 9, y2: 9});
    bar.append("circle").attr({cx: (each) => x(each.ratio[0]), cy: 9, r: 3.5});
    const notes = [];
    for (let i = 0; i < d.unmeasured.length; i += 2) {
      notes.push(`${data.variants[d.unmeasured[i]].name}: ${d.unmeasured[i + 1]}`);
    }
    for (const [text, procs] of d.sheet.subject.skipped) {
      if (procs.includes(d.procs) && text.startsWith(d.sheet.collective + "/")) notes.push(`skipped: ${text}`);
    }
    if (!notes.length) return;
    const more = detail.append("details");
    more.append("summary").attr("class", "note").text("Not measured, and why");
    more.append("ul").attr("class", "note").selectAll("li").data(notes).enter().append("li").text(String);
  }

  function curvesOf(d) {
    const series = new Map();
    const wanted = new Set(d.candidates.slice(0, 3).map((each) => each.variant.id));
    for (let size = 0; size < d.sheet.sizes.length; ++size) {
      const rect = d.sheet.at[[d.row, size]];
      if (!rect) continue;
      const cell = d3.select(rect).datum();
      wanted.add(cell.choice.id);
      for (const each of cell.candidates) {
        if (!series.has(each.variant.id)) series.set(each.variant.id, []);
        series.get(each.variant.id).push({bytes: Math.max(1, cell.bytes), ...each});
      }
    }
    wanted.add("native");
    const lines = [...series].filter(([id]) => wanted.has(id)).slice(0, 8)
      .map(([id, points]) => ({points, variant: points[0].variant}));
    const [width, height, right] = [520, 280, 400];
    const points = lines.flatMap((line) => line.points);
    const x = d3.scale.log().base(2).domain(d3.extent(points, (p) => p.bytes)).range([52, right]);
    const y = d3.scale.log()
      .domain([d3.min(points, (p) => p.low || p.median), d3.max(points, (p) => p.high)])
      .range([height - 26, 8]);
    detail.append("h3").text(`Times by message size, p = ${d.procs}`);
    const svg = detail.append("svg").attr({class: "curves", viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `Medians with intervals of ${lines.map((l) => l.variant.name).join(", ")}`});
    const step = Math.ceil(d.sheet.sizes.length / 8);
    svg.append("g").attr("transform", `translate(0,${height - 24})`).call(
      d3.svg.axis().scale(x).orient("bottom").tickSize(4)
        .tickValues(d.sheet.sizes.filter((size, i) => size > 0 && i % step === 0)).tickFormat(shortBytes));
    const decades = d3.range(-4, 10).map((n) => Math.pow(10, n));
    const inside = decades.filter((t) => t >= y.domain()[0] && t <= y.domain()[1]);
    svg.append("g").attr("transform", "translate(48,0)").call(
      d3.svg.axis().scale(y).orient("left").tickSize(-(right - 48))
        .tickValues(inside.length > 1 ? inside : y.ticks(3)).tickFormat((t) => `${+(t / unitOf(t)[0]).toPrecision(3)} ${unitOf(t)[1]}`));
    svg.append("line").attr({class: "here", x1: x(Math.max(1, d.bytes)), x2: x(Math.max(1, d.bytes)), y1: 8, y2: height - 24});
    const area = d3.svg.area().x((p) => x(p.bytes)).y0((p) => y(p.low || p.median)).y1((p) => y(p.high || p.median));
    const line = d3.svg.line().x((p) => x(p.bytes)).y((p) => y(p.median));
    const group = svg.selectAll(".series").data(lines).enter().append("g")
      .attr("class", (l) => `series c${l.variant.family}`);
    group.append("path").attr({class: "band", d: (l) => area(l.points)});
    group.append("path").attr({class: "curve", d: (l) => line(l.points)});
    // Labels at the ends of the lines, moved apart.
    lines.forEach((l) => { l.y = y(l.points[l.points.length - 1].median); });
    const sorted = lines.slice().sort((a, b) => a.y - b.y);
    sorted.forEach((l, i) => { if (i > 0) l.y = Math.max(l.y, sorted[i - 1].y + 13); });
    const over = sorted[sorted.length - 1].y - (height - 20);
    if (over > 0) sorted.forEach((l) => { l.y -= over; });
    group.append("text").attr({class: "label", x: right + 6, y: (l) => l.y + 4})
      .text((l) => (l.variant.name.length > 26 ? l.variant.name.slice(0, 25) + "…" : l.variant.name));
  }

  // Schedules
  function scheduleOf(d) {
    detail.append("h3").text(`Schedule of ${d.choice.name}`);
    if (d.schedule < 0) {
      const own = d.choice.id.includes(":") && !d.choice.id.includes("=") || d.choice.id === "native" ||
        /^(mpich|openmpi|native):/.test(d.choice.id);
      const said = detail.append("p").attr("class", "note");
      if (own) said.text("The library's own: it has no schedule here.");
      else said.text("Not part of this page: ").append("code").text(
        `breakeven schedule show ${d.sheet.collective}/${d.choice.id} --procs ${d.procs}`);
      return;
    }
    player = new Player(data.schedules[d.schedule], d.procs, detail);
  }

  class Player {
    constructor(schedule, procs, parent) {
      Object.assign(this, {schedule, procs, step: 0, timer: null});
      this.share = schedule.blocks % procs === 0 ? schedule.blocks / procs : 0;
      this.steps = schedule.steps.map((sendings) => this.expand(sendings));
      const bar = parent.append("div").attr("class", "player");
      bar.append("button").attr("aria-label", "Step back").text("◀").on("click", () => this.go(this.step - 1));
      this.button = bar.append("button").attr("class", "main").on("click", () => this.toggle());
      bar.append("button").attr("aria-label", "Step on").text("▶").on("click", () => this.go(this.step + 1));
      this.range = bar.append("input").attr({type: "range", min: 0, max: this.steps.length - 1,
        value: 0, "aria-label": "Step"}).on("input", () => this.go(+this.range.node().value));
      this.count = bar.append("span").attr("class", "note");
      const size = Math.min(440, 170 + 22 * procs);
      const radius = size / 2 - 30;
      const dot = Math.max(6.5, Math.min(17, 2.2 * radius / procs + 1));
      const at = (rank, outwards) => {
        const angle = 2 * Math.PI * rank / procs - Math.PI / 2;
        return [Math.cos, Math.sin].map((of) => size / 2 + (radius + outwards) * of(angle));
      };
      Object.assign(this, {at, dot, centre: size / 2});
      this.svg = parent.append("svg").attr({class: "play", viewBox: `0 0 ${size} ${size}`, role: "img",
        "aria-label": "Who sends to whom"}).style("max-width", `${size}px`);
      const defs = this.svg.append("defs").append("marker").attr({id: "head", viewBox: "0 0 8 8",
        refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto"});
      defs.append("path").attr({d: "M0 0 8 4 0 8z", fill: "var(--accent)"});
      this.arrows = this.svg.append("g");
      this.ranks = this.svg.selectAll(".rank").data(d3.range(procs)).enter().append("g")
        .attr({class: "rank", transform: (rank) => `translate(${at(rank, 0)})`});
      this.ranks.append("circle").attr("r", dot);
      this.ranks.append("text").attr("y", 4).style("font-size", `${Math.min(11, dot * 1.05)}px`).text(String);
      this.says = parent.append("p").attr({class: "says", "aria-live": "polite"});
      this.go(0);
      if (!still) this.toggle();
      else this.button.text("Play");
    }
    expand(sendings) {
      const {blocks} = this.schedule;
      return sendings.flatMap(([ahead, ranges, ranks]) =>
        (ranks === 0 ? d3.range(this.procs) : ranks).map((from) => ({
          from, to: (from + ahead) % this.procs,
          blocks: ranges.map(([first, count]) => [(first + from * this.share) % blocks, count])})));
    }
    words(sending) {
      const ranges = sending.blocks.map(([first, count]) => (count === 1 ? first : `${first}–${first + count - 1}`));
      const what = this.schedule.blocks > 1 && ranges.length ? ` (${ranges.join(", ")})` : "";
      return `${sending.from} → ${sending.to}${what}`;
    }
    go(step) {
      this.step = Math.max(0, Math.min(this.steps.length - 1, step));
      const sendings = this.steps[this.step];
      const reduces = new Set(this.schedule.reduces[this.step]);
      const busy = new Set(sendings.flatMap((each) => [each.from, each.to]));
      this.range.node().value = this.step;
      this.count.text(`step ${this.step + 1} of ${this.steps.length}`);
      this.ranks.attr("class", (rank) => `rank${busy.has(rank) ? " busy" : ""}${reduces.has(rank) ? " reduces" : ""}`);
      // Inside the circle, bent towards its middle and to one side: neighbours stay apart, and so do
      // the two messages of an exchange.
      const path = ({from, to}) => {
        const [a, b] = [this.at(from, -this.dot - 2), this.at(to, -this.dot - 4)];
        const middle = [0, 1].map((i) => this.centre + 0.72 * ((a[i] + b[i]) / 2 - this.centre));
        const side = [0.1 * (a[1] - b[1]), 0.1 * (b[0] - a[0])];
        return `M${a}Q${middle[0] + side[0]} ${middle[1] + side[1]} ${b}`;
      };
      this.arrows.html("");
      const paths = this.arrows.selectAll("path").data(sendings).enter().append("path")
        .attr({class: "arrow", d: path, "marker-end": "url(#head)"});
      if (!still) {
        const tokens = this.arrows.selectAll(".token").data(sendings).enter().append("circle")
          .attr({class: "token", r: Math.min(4.5, this.dot / 2)});
        tokens.transition().duration(750).attrTween("transform", (d, i) => {
          const one = paths[0][i];
          const length = one.getTotalLength();
          return (t) => { const p = one.getPointAtLength(t * length); return `translate(${p.x},${p.y})`; };
        }).remove();
      }
      const most = 16;
      const more = sendings.length - most;
      const unit = this.schedule.blocks > 1 ? ` with blocks of ${this.schedule.blocks}` : "";
      this.says.text(`Sends${unit}: ${sendings.slice(0, most).map((each) => this.words(each)).join("; ")}` +
        (more > 0 ? `; and ${more} more.` : ".") +
        (reduces.size ? ` Filled ranks then reduce: ${reduces.size === this.procs ? "all" : [...reduces].join(", ")}.` : ""));
    }
    toggle() {
      if (this.timer) return this.stop();
      this.button.text("Pause");
      this.timer = setInterval(() => this.go((this.step + 1) % this.steps.length), 1300);
    }
    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.button.text("Play");
    }
  }

  // Tools
  const tools = d3.select("#tools").attr("hidden", null);
  const compared = cells.some((d) => d.speedup);
  function choices(title, name, values, onChange) {
    const set = tools.append("fieldset");
    set.append("legend").text(title);
    const label = set.selectAll("label").data(values).enter().append("label").attr("class", "choice");
    label.append("input").attr({type: "radio", name, value: (d) => d.id})
      .property("checked", (d, i) => i === 0).on("change", onChange);
    label.append("span").text((d) => d.text);
  }
  const VIEWS = [
    {id: "choice", text: "Choice", says: ""},
    {id: "speedup", text: "Speedup", value: (d) => d.speedup && d.speedup[0],
     says: "the default's time / the choice's"},
    {id: "default", text: "Default’s regret", value: (d) => d.regrets[0] !== null && 1 + d.regrets[0],
     says: "the default's time / the fastest candidate's"},
    {id: "regret", text: "Choice’s regret", value: (d) => 1 + d.regrets[1],
     says: "the choice's time / the fastest candidate's"}];
  choices("Show", "view", VIEWS.filter((v) => compared || v.id === "choice" || v.id === "regret"), shade);
  const mappings = [...new Set(cells.map((d) => d.sheet.mapping))];
  if (mappings.length > 1) {
    choices("Mapping", "mapping", [{id: "", text: "All"}, ...mappings.map((id) => ({id, text: id}))],
      ({id}) => panels.attr("hidden", function () { return id && this.dataset.mapping !== id ? "" : null; }));
  }
  if (compared) {
    const best = d3.max(cells, (d) => (d.speedup ? d.speedup[1] - 1 : 0));
    const label = tools.append("label").attr("class", "slider");
    label.append("span").text("Speedup at least");
    const input = label.append("input").attr({type: "range", min: 0, max: Math.min(200, Math.max(1, Math.floor(100 * best))), value: 0, id: "least"});
    const said = label.append("output").attr("for", "least");
    const limit = () => {
      const least = +input.node().value;
      let fit = 0;
      all.classed("dim", (d) => {
        const fits = least === 0 || (d.speedup && d.speedup[1] >= 1 + least / 100);
        fit += fits ? 1 : 0;
        return !fits;
      });
      said.text(`${least} %: ${fit} of ${cells.length} cells`);
    };
    label.attr("title", "by the lower end of the interval");
    input.on("input", limit);
    limit();
  }
  const files = document.querySelectorAll("details.file[data-library]");
  if (files.length) {
    const set = tools.append("fieldset").attr("class", "files");
    set.append("legend").text("Copy for the library");
    for (const file of files) {
      set.append("button").text(file.dataset.name)
        .on("click", function () { copy(file.querySelector("pre").textContent, this); });
    }
  }
  const hint = tools.append("p").attr({id: "hint", class: "note"});

  function shade(view) {
    const value = view.value;
    const most = value ? Math.max(1.02, d3.max(cells, (d) => value(d) || 1)) : 1;
    panels.classed("shaded", Boolean(value));
    hint.text(value ? `Shade: ${view.says}, from 1 (pale) to ${three(most)}; orange below 1.` :
      "Hover, tap or move with the arrow keys: candidates. Click or Enter: curves and schedule.");
    d3.selectAll(".legend").attr("hidden", value ? "" : null);
    const depth = (v) => Math.min(1, Math.abs(Math.log(v)) / Math.log(most));
    all.style("fill", (d) => {
      if (!value) return null;
      const v = value(d);
      if (!v) return "var(--well)";
      return `color-mix(in srgb, var(${v < 1 ? "--bad" : "--accent"}) ${(6 + 84 * depth(v)).toFixed(1)}%, var(--paper))`;
    });
    panels.selectAll("g.values").remove();
    if (!value) return;
    panels.each(function () {
      const rects = d3.select(this).selectAll(".cells rect");
      const first = rects.node();
      if (!first || +first.getAttribute("width") < 28 || +first.getAttribute("height") < 14) return;
      const group = d3.select(this).select("svg.map").append("g").attr("class", "values");
      rects.each(function (d) {
        const v = value(d);
        if (!v) return;
        group.append("text").attr({x: +this.getAttribute("x") + this.getAttribute("width") / 2,
                                   y: +this.getAttribute("y") + this.getAttribute("height") / 2 + 3.5})
          .style("fill", depth(v) > 0.55 ? "var(--paper)" : null).text(three(v));
      });
    });
  }
  shade(VIEWS[0]);

  // Copying
  async function copy(text, button) {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = d3.select("body").append("textarea").property("value", text).node();
      area.select();
      copied = document.execCommand("copy");
      area.remove();
    }
    const before = button.textContent;
    button.textContent = copied ? "Copied" : "Could not copy";
    setTimeout(() => { button.textContent = before; }, 1500);
  }
  d3.selectAll(".copyable").each(function () {
    const pre = this.querySelector("pre");
    const buttons = d3.select(this).append("div").attr("class", "buttons");
    buttons.append("button").text("Copy").on("click", function () { copy(pre.textContent, this); });
    const file = this.closest("details.file");
    if (!file) return;
    buttons.append("button").text("Save").on("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([pre.textContent], {type: "text/plain"}));
      link.download = file.dataset.name;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  });
  document.documentElement.dataset.ready = "true";
})();
