// Makes the maps, which are in the page already, answer pointer and keys; the tools above them.

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
    .on("click", function (d) { showDetail(d, this); })
    .on("keydown", function (d) { onKey(d, this, d3.event); });
  sheet.at = {};
  sheet.rects.each(function (d) { sheet.at[[d.row, d.size]] = this; });
  sheet.mapSvg = this.querySelector("svg.map");
});
const all = panels.selectAll(".cells rect");
const cells = [];
all.each((d) => cells.push(d));
// Where processes take turns times tell of that: such cells set no scale and are in no count.
const alone = cells.every((d) => d.oversubscribed);
const counted = cells.filter((d) => alone || !d.oversubscribed);

const STEPS = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0]};
function onKey(d, rect, event) {
  const step = STEPS[event.key];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    showDetail(d, rect);
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

/** Marks a cell above its neighbours, or none. */
function outline(name, rect) {
  d3.selectAll(`.${name}`).remove();
  if (!rect) return;
  const mark = d3.select(rect.ownerSVGElement).append("rect").attr("class", name);
  for (const side of ["x", "y", "width", "height"]) mark.attr(side, rect.getAttribute(side));
}

// The text that hovering shows
const tip = d3.select("body").append("div").attr({id: "tip", "aria-hidden": true, hidden: ""});
function tell(d, rect) {
  const most = 6;
  outline("pointed", rect);
  tip.attr("hidden", null).html("");
  tip.append("h3").text(d.place);
  tip.append("p").text(d.verdict);
  rows(tip.append("table"), d.candidates.slice(0, most), ["", "time", "launches"]);
  const more = d.candidates.length + d.leftOut - most;
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
function hush() {
  outline("pointed");
  tip.attr("hidden", "");
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
  {id: "speedup", text: "Speedup", value: (d) => d.speedup && d.speedup.ratio,
   says: "the default's time / the choice's"},
  {id: "default", text: "Default’s regret",
   value: (d) => d.regrets[0] !== null && 1 + d.regrets[0],
   says: "the default's time / the fastest candidate's"},
  {id: "regret", text: "Choice’s regret", value: (d) => 1 + d.regrets[1],
   says: "the choice's time / the fastest candidate's"}];
choices("Show", "view",
  VIEWS.filter(({id}) => compared || id === "choice" || id === "regret"), shade);
const mappings = [...new Set(cells.map((d) => d.sheet.mapping))];
if (mappings.length > 1) {
  choices("Mapping", "mapping", [{id: "", text: "All"}, ...mappings.map((id) => ({id, text: id}))],
    ({id}) => panels.attr("hidden", function () {
      return id && this.dataset.mapping !== id ? "" : null;
    }));
}
if (compared) {
  const best = d3.max(counted, (d) => (d.speedup ? d.speedup.low - 1 : 0));
  const label = tools.append("label").attr("class", "slider");
  label.append("span").text("Speedup at least");
  const input = label.append("input").attr({type: "range", min: 0, id: "least", value: 0,
    max: Math.min(200, Math.max(1, Math.floor(100 * best)))});
  const said = label.append("output").attr("for", "least");
  const limit = () => {
    const least = +input.node().value;
    let fit = 0;
    all.classed("dim", (d) => {
      const fits = least === 0 || (d.speedup && d.speedup.low >= 1 + least / 100);
      fit += fits && (alone || !d.oversubscribed) ? 1 : 0;
      return !fits;
    });
    said.text(`${least} %: ${fit} of ${counted.length} cells`);
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
  const greatest = value ? Math.max(1.02, d3.max(counted, (d) => value(d) || 1)) : 1;
  const most = Math.min(4, greatest); // one cell that is 50 times as slow would make others pale
  panels.classed("shaded", Boolean(value));
  hint.text(value ? `Shade: ${view.says}, from 1 (pale) to ${three(most)}` +
    `${greatest > most ? " and more" : ""}; orange below 1.` :
    "Hover, tap or move with the arrow keys: candidates. Click or Enter: curves and schedule.");
  d3.selectAll(".legend").attr("hidden", value ? "" : null);
  const depth = (v) => Math.min(1, Math.abs(Math.log(v)) / Math.log(most));
  all.style("fill", (d) => {
    if (!value) return null;
    const v = value(d);
    if (!v) return "var(--well)";
    const colour = v < 1 ? "--bad" : "--accent";
    return `color-mix(in srgb, var(${colour}) ${(6 + 84 * depth(v)).toFixed(1)}%, var(--paper))`;
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
      const middle = (at, size) => +this.getAttribute(at) + this.getAttribute(size) / 2;
      group.append("text").attr({x: middle("x", "width"), y: middle("y", "height") + 3.5})
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
