// Pictures of statistics: bars of shares, and a histogram.

import { make, svgElement } from "./dom";

interface Share {
  games: number;
  share: number;
  low: number;
  high: number;
}

interface Simulated {
  games: number;
  players: { player: string; wins: Share }[];
  draws: Share;
  nobody: Share;
  unfinished: Share;
  plies: { histogram: [number, number][] };
}

const isSimulated = (json: unknown): json is Simulated =>
  typeof json === "object" && json !== null && "plies" in json && "players" in json && "draws" in json;

// Returns the pictures of an answer; none of answers without any.
export function drawn(json: unknown): HTMLElement[] {
  if (!isSimulated(json) || json.games === 0) return [];
  const shares: [string, Share][] = json.players.map(({ player, wins }) => [`${player} wins`, wins]);
  const others: [string, Share][] = [["draw", json.draws], ["nobody wins", json.nobody], ["unfinished", json.unfinished]];
  const found = [bars([...shares, ...others.filter(([, share]) => share.games > 0)])];
  if (json.plies.histogram.length > 0) found.push(histogram("turns in a game", json.plies.histogram));
  return found;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

// Bars of shares, each with its interval.
function bars(shares: [string, Share][]): HTMLElement {
  const wide = 260;
  const rows = shares.map(([name, { share, low, high }]) => {
    const svg = svgElement("svg", { viewBox: `0 0 ${wide} 16`, class: "bar", "aria-hidden": "true" });
    svg.append(
      svgElement("rect", { x: 0, y: 1, width: wide, height: 14, class: "ground" }),
      svgElement("rect", { x: 0, y: 1, width: share * wide, height: 14, class: "fill" }),
      svgElement("path", { d: `M${low * wide} 8H${high * wide}M${low * wide} 4v8M${high * wide} 4v8`, class: "range" }),
    );
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, svg), make("td", { class: "number" }, percent(share)), make("td", { class: "quiet" }, `${percent(low)} to ${percent(high)}`));
  });
  return make("table", { class: "shares" }, make("tbody", {}, ...rows));
}

const MAX_BINS = 30;

// A histogram of numbers, each with how often it came up.
function histogram(title: string, counts: [number, number][]): HTMLElement {
  const values = counts.map(([value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const width = step((high - low + 1) / MAX_BINS);
  const first = Math.floor(low / width) * width;
  const bins = new Array<number>(Math.floor((high - first) / width) + 1).fill(0);
  for (const [value, games] of counts) bins[Math.floor((value - first) / width)]! += games;
  const most = Math.max(...bins, 1);
  const [wide, tall] = [320, 90];
  const each = wide / bins.length;
  const svg = svgElement("svg", { viewBox: `0 0 ${wide} ${tall + 16}`, class: "histogram", role: "img", "aria-label": `${title}: ${low} to ${high}` });
  for (const [at, games] of bins.entries()) {
    const height = (games / most) * tall;
    const bar = svgElement("rect", { x: at * each + 0.5, y: tall - height, width: Math.max(1, each - 1), height, class: "fill" });
    const name = svgElement("title", {});
    const start = first + at * width;
    name.textContent = `${width === 1 ? start : `${start} to ${start + width - 1}`}: ${games}`;
    bar.append(name);
    svg.append(bar);
  }
  const label = (x: number, anchor: string, text: string) => {
    const made = svgElement("text", { x, y: tall + 13, "text-anchor": anchor });
    made.textContent = text;
    return made;
  };
  svg.append(svgElement("path", { d: `M0 ${tall}H${wide}`, class: "range" }), label(0, "start", String(first)), label(wide, "end", String(high)));
  return make("figure", {}, make("figcaption", {}, title), svg);
}

// The width of a bin: 1, 2 or 5 times a power of ten.
function step(least: number): number {
  for (let power = 1; ; power *= 10) {
    for (const width of [power, 2 * power, 5 * power]) if (width >= least) return width;
  }
}
