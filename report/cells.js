// The page's data, and their texts. All numbers are in #data, which report/data.hpp describes: only
// places in pictures are computed here.

const data = JSON.parse(document.getElementById("data").textContent);
const CERTAINTIES = ["decided", "undecided", "fewer than 3 launches"];
const CANDIDATE = 8; // numbers of a candidate
const NEAR = 1.03; // a choice this much slower than the fastest is as good
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
const ratioText = ({ratio, low, high}) => `${three(ratio)} (${three(low)} to ${three(high)})`;
const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

// Cells
class Cell {
  constructor(sheet, fields) {
    this.sheet = sheet;
    [this.row, this.size, this.chosen, this.certainty, this.nearBest, this.speedup, this.regrets,
     this.counts, this.oversubscribed, this.program, this.schedule, this.numbers,
     this.leftOut, this.unmeasured = []] = fields;
  }
  get candidates() {
    const found = [];
    for (let i = 0; i < this.numbers.length; i += CANDIDATE) {
      const [variant, adjusted, low, high, middle, least, most, count] =
        this.numbers.slice(i, i + CANDIDATE);
      found.push({variant: data.variants[variant], time: adjusted, low, high,
                  ratio: {ratio: middle, low: least, high: most}, launches: count,
                  chosen: i === CANDIDATE * this.chosen});
    }
    return found;
  }
  get choice() { return data.variants[this.numbers[CANDIDATE * this.chosen]]; }
  get procs() { return this.sheet.rows[this.row][0]; }
  get bytes() { return this.sheet.sizes[this.size]; }
  get place() {
    const [procs, nodes, each, atOnce] = this.sheet.rows[this.row];
    return `${this.sheet.collective}, p = ${procs}` +
      (nodes > 1 ? ` on ${nodes} nodes of ${each}, mapping ${this.sheet.mapping}` : "") +
      (atOnce > 1 ? `, ${atOnce} at once` : "") +
      (this.bytes ? `, ${bytes(this.bytes)}` : "");
  }
  get verdict() {
    const sure = CERTAINTIES[this.certainty] + (this.certainty !== 1 ? "" :
      `: within 3 % of the fastest with a probability of ${percent(this.nearBest)}`);
    const gain = !this.speedup ? "" : this.choice.id === "native" ? "; no rule of a table pays" :
      `; ${ratioText(this.speedup)} times as fast as the default`;
    const saved = this.program && this.program.length > 1 ?
      `; the program spends ${three(this.program[0])} s here, saved ${three(this.program[1])} s ` +
      `(${three(this.program[2])} to ${three(this.program[3])})` : "";
    return this.choice.name + gain + "; " + sure + saved;
  }
}

/** Why a candidate is not the choice. */
const why = (candidate) =>
  candidate.chosen ? "chosen" : candidate.ratio.high >= 1 / NEAR ? "may be as fast" : "slower";
