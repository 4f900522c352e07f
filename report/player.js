// Plays a schedule of Data::json step by step: ranks on a circle, an arrow for each message.

class Player {
  constructor(schedule, procs, parent) {
    Object.assign(this, {schedule, procs, step: 0, timer: null});
    this.share = schedule.blocks % procs === 0 ? schedule.blocks / procs : 0;
    this.steps = schedule.steps.map((sendings) => this.expand(sendings));
    const bar = parent.append("div").attr("class", "player");
    const move = (label, text, steps) => bar.append("button").attr("aria-label", label).text(text)
      .on("click", () => this.go(this.step + steps));
    move("Step back", "◀", -1);
    this.button = bar.append("button").attr("class", "main").on("click", () => this.toggle());
    move("Step on", "▶", 1);
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
    this.svg = parent.append("svg").attr({class: "play", viewBox: `0 0 ${size} ${size}`,
      role: "img", "aria-label": "The messages of each step"}).style("max-width", `${size}px`);
    const defs = this.svg.append("defs").append("marker").attr({id: "head", viewBox: "0 0 8 8",
      refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto"});
    defs.append("path").attr({d: "M0 0 8 4 0 8z", fill: "var(--accent)"});
    this.arrows = this.svg.append("g");
    this.ranks = this.svg.selectAll(".rank").data(d3.range(procs)).enter().append("g")
      .attr({class: "rank", transform: (rank) => `translate(${at(rank, 0)})`});
    this.ranks.append("circle").attr("r", dot);
    this.ranks.append("text").attr("y", 4).style("font-size", `${Math.min(11, dot * 1.05)}px`)
      .text(String);
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
    const ranges = sending.blocks.map(([first, count]) =>
      (count === 1 ? first : `${first}–${first + count - 1}`));
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
    this.ranks.classed("busy", (rank) => busy.has(rank))
      .classed("reduces", (rank) => reduces.has(rank));
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
        return (t) => {
          const {x, y} = one.getPointAtLength(t * length);
          return `translate(${x},${y})`;
        };
      }).remove();
    }
    const most = 16;
    const more = sendings.length - most;
    const unit = this.schedule.blocks > 1 ? ` with blocks of ${this.schedule.blocks}` : "";
    const words = sendings.slice(0, most).map((each) => this.words(each)).join("; ");
    const filled = reduces.size === this.procs ? "all" : [...reduces].join(", ");
    this.says.text(`Sends${unit}: ${words}${more > 0 ? `; and ${more} more` : ""}.` +
      (reduces.size ? ` Filled ranks then reduce: ${filled}.` : ""));
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
