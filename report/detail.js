// The detail that a click on a cell opens: the choice's schedule, times by size, all candidates.

function rows(table, candidates, heads) {
  table.append("thead").append("tr").selectAll("th").data(heads).enter().append("th").text(String);
  const row = table.append("tbody").selectAll("tr").data(candidates).enter().append("tr")
    .classed("chosen", (each) => each.chosen);
  row.append("td").text((each) => each.variant.name);
  row.append("td").attr("class", "number").text((each) => each.low === null ?
    `${time(each.time)}, one launch` : interval(each.time, each.low, each.high));
  row.append("td").attr("class", "number").text((each) => `${each.launches}, `)
    .append("span").attr("class", "note").text(why);
  return row;
}

const detail = d3.select("#detail").attr({role: "dialog", "aria-label": "One cell"});
let opener = null;
let player = null;
function hideDetail() {
  if (player) player.stop();
  detail.attr("hidden", "");
  document.body.classList.remove("open");
  outline("picked");
  if (opener) opener.focus();
  opener = null;
}
addEventListener("keydown", (event) => { if (event.key === "Escape") { hush(); hideDetail(); } });

function showDetail(d, rect) {
  hush();
  if (player) player.stop();
  opener = rect;
  outline("picked", rect);
  document.body.classList.add("open");
  detail.attr("hidden", null).html("").node().scrollTop = 0;
  detail.append("button").attr({class: "close", "aria-label": "Close"}).text("✕")
    .on("click", hideDetail);
  detail.append("h2").text(d.place);
  detail.append("p").attr("class", "note").text(
    [d.sheet.data, d.counts && `${d.counts} counts`, d.sheet.subject.database]
      .filter(Boolean).join(" · "));
  detail.append("p").text(d.verdict + ".");
  scheduleOf(d);
  if (d.sheet.sizes.length > 1) curvesOf(d);
  candidatesOf(d);
  detail.select(".close").node().focus();
  // An open detail moves the maps.
  for (const seen of [rect.closest("figure"), rect]) seen.scrollIntoView({block: "nearest"});
}

function candidatesOf(d) {
  detail.append("h3").text("Candidates");
  const found = d.candidates;
  const low = Math.max(d3.min(found, (each) => each.ratio.low), 1 / 8);
  const high = d3.max(found, (each) => each.ratio.high);
  const x = d3.scale.log().domain([Math.min(low, 0.95), Math.max(high, 1.05)])
    .range([6, 174]).clamp(true);
  const table = detail.append("table");
  const row = rows(table, found,
    ["algorithm", "time, interval", "launches", "the choice's time / its"]);
  const bar = row.append("td").attr("class", "bar").append("svg")
    .attr({class: "interval", viewBox: "0 0 180 18", role: "img",
           "aria-label": (each) => `${ratioText(each.ratio)} times as fast as the choice`});
  bar.append("title").text((each) => ratioText(each.ratio));
  bar.append("rect")
    .attr({class: "near", x: x(1 / NEAR), width: x(NEAR) - x(1 / NEAR), y: 0, height: 18});
  bar.append("line").attr({class: "one", x1: x(1), x2: x(1), y1: 0, y2: 18});
  bar.append("line")
    .attr({x1: (each) => x(each.ratio.low), x2: (each) => x(each.ratio.high), y1: 9, y2: 9});
  bar.append("circle").attr({cx: (each) => x(each.ratio.ratio), cy: 9, r: 3.5});
  const [fewest, most] = d3.extent(found, (each) => each.launches);
  if (fewest < most) {
    detail.append("p").attr("class", "note")
      .text("Fewer launches: a race measures again only who may be the fastest.");
  }
  if (d.leftOut) {
    detail.append("p").attr("class", "note").text(`${d.leftOut} slower candidates are not in this ` +
      "page, which would be too large, and miss in the curves: `breakeven show` prints them.");
  }
  const notes = [];
  for (let i = 0; i < d.unmeasured.length; i += 2) {
    notes.push(`${data.variants[d.unmeasured[i]].name}: ${d.unmeasured[i + 1]}`);
  }
  for (const [text, procs] of d.sheet.subject.skipped) {
    const here = procs.includes(d.procs) && text.startsWith(`${d.sheet.collective}/`);
    if (here) notes.push(`skipped: ${text}`);
  }
  if (!notes.length) return;
  const more = detail.append("details");
  more.append("summary").attr("class", "note").text("Not measured, and why");
  more.append("ul").attr("class", "note").selectAll("li").data(notes).enter().append("li")
    .text(String);
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
  const width = Math.min(520, detail.select("h3").node().clientWidth);
  const right = width - 8;
  const height = 280;
  const points = lines.flatMap((line) => line.points);
  const x = d3.scale.log().base(2).domain(d3.extent(points, (p) => p.bytes)).range([52, right]);
  const y = d3.scale.log()
    .domain([d3.min(points, (p) => p.low ?? p.time), d3.max(points, (p) => p.high ?? p.time)])
    .range([height - 26, 8]);
  detail.append("h3").text(`Times by message size, p = ${d.procs}`);
  const svg = detail.append("svg").attr({class: "curves", viewBox: `0 0 ${width} ${height}`,
    role: "img", "aria-label": "Times with intervals of " +
      lines.map((l) => l.variant.name).join(", ")});
  const step = Math.ceil(d.sheet.sizes.length * 38 / (right - 52));
  svg.append("g").attr("transform", `translate(0,${height - 24})`).call(
    d3.svg.axis().scale(x).orient("bottom").tickSize(4)
      .tickValues(d.sheet.sizes.filter((size, i) => i % step === 0 && size >= x.domain()[0] &&
        size <= x.domain()[1]))
      .tickFormat(shortBytes));
  const inside = (factors) => d3.range(-4, 10).flatMap((n) => factors.map((f) => f * 10 ** n))
    .filter((t) => t >= y.domain()[0] && t <= y.domain()[1]);
  const fine = [[1], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], d3.range(1, 10, 0.1), d3.range(1, 10, 0.01)]
    .map(inside).find((t) => t.length > 2) || y.domain();
  const ticks = fine.filter((t, i) => i % Math.ceil(fine.length / 9) === 0);
  svg.append("g").attr("transform", "translate(48,0)").call(
    d3.svg.axis().scale(y).orient("left").tickSize(-(right - 48))
      .tickValues(ticks)
      .tickFormat((t) => `${+(t / unitOf(t)[0]).toPrecision(3)} ${unitOf(t)[1]}`));
  const here = x(Math.max(1, d.bytes));
  svg.append("line").attr({class: "here", x1: here, x2: here, y1: 8, y2: height - 24});
  const area = d3.svg.area().x((p) => x(p.bytes)).y0((p) => y(p.low ?? p.time))
    .y1((p) => y(p.high ?? p.time));
  const line = d3.svg.line().x((p) => x(p.bytes)).y((p) => y(p.time));
  // A family has one colour: dashes tell its members apart.
  const before = (l) => lines.slice(0, lines.indexOf(l))
    .filter(({variant: {family}}) => family === l.variant.family).length;
  const dashes = (l) => [null, "8 3", "2 3", "8 3 2 3"][before(l) % 4];
  const group = svg.selectAll(".series").data(lines).enter().append("g")
    .attr("class", (l) => `series c${l.variant.family}`)
    .style("stroke-dasharray", dashes);
  group.append("path").attr({class: "band", d: (l) => area(l.points)});
  group.append("path").attr({class: "curve", d: (l) => line(l.points)});
  const key = detail.append("ul").attr("class", "key").selectAll("li").data(lines).enter()
    .append("li");
  key.append("svg").attr({width: 30, height: 10, class: (l) => `c${l.variant.family}`})
    .style("stroke-dasharray", dashes)
    .append("line").attr({class: "curve", x1: 0, x2: 30, y1: 5, y2: 5});
  key.append("span").text((l) => l.variant.name);
}

function scheduleOf(d) {
  detail.append("h3").text(`Schedule of ${d.choice.name}`);
  if (d.schedule < 0) {
    const own = /^(native$|native:|mpich:|openmpi:)/.test(d.choice.id);
    const said = detail.append("p").attr("class", "note");
    if (own) said.text("The library's own: it has no schedule here.");
    else said.text("Not part of this page: ").append("code").text(
      `breakeven schedule show ${d.sheet.collective}/${d.choice.id} --procs ${d.procs}`);
    return;
  }
  player = new Player(data.schedules[d.schedule], d.procs, detail);
}
