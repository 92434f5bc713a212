// Questions that take long. They are answered in slices, so that the answer grows, and can be stopped with what there is.

import { Stopped, type Desk } from "./desk";
import { button, choice, make } from "./dom";
import type { Editor } from "./editor";
import { flags, gamesOf, listed, plain, setUpForm, type Game, type SetUp } from "./games";
import type { Project } from "./project";
import { drawn } from "./statistics";

interface Slice {
  done: number;
  all: number | null;
  unit: string;
  finished: boolean;
  human: string | null;
  json: unknown;
  rendered?: string[];
}

// What the module says in the middle of a question that is answered in one step: counts of work, then for each outcome
// its name, between which bounds its chance is so far, and at last the chance.
interface Told {
  states?: number;
  solving?: number;
  outcome?: string;
  chance?: string;
}

// A question in the words of the command line, and as the module reads it.
interface Asked {
  words: string[];
  question: object;
}

interface Kind {
  title: string;
  about: string;
  // Whether its set-up matters.
  setUp: boolean;
  fields: Field[];
}

type Field = "count" | "policy" | "chance" | "within" | "from";

const KINDS: Record<string, Kind> = {
  simulate: { title: "Simulate", about: "Play many games, and count how they end.", setUp: true, fields: ["count", "policy", "chance"] },
  compare: { title: "Compare", about: "Choose an option or a house rule under Set-up: which examples and which results does it change?", setUp: true, fields: ["count", "policy"] },
  readings: { title: "Readings", about: "Hold every option and house rule against the examples that cite the rulebook: which readings do they allow?", setUp: false, fields: [] },
  coverage: { title: "Coverage", about: "Which clauses and lines of the rules does no example use?", setUp: false, fields: [] },
  mutate: { title: "What no example notices", about: "Change the rules in one place at a time: which changes does no example notice?", setUp: false, fields: [] },
  odds: { title: "Odds", about: "Compute exact chances, over all that dice and cards can bring.", setUp: true, fields: ["from", "policy", "chance", "within"] },
};

// The time that a slice takes, in milliseconds; the first one is small, so that something is seen at once.
const SLICE = 250;

export class AskPane {
  private games: Game[] = [];
  private setUp: SetUp = plain("");
  private kind = "simulate";
  private values: Record<Field, string> = { count: "1000", policy: "random", chance: "", within: "", from: "set-up" };
  private round = 0;
  // The question that is being answered.
  private running: string | undefined;
  // What was told before the present question, so that its own work is counted, and what it has told.
  private before: Told = {};
  private latest: Told = {};
  private readonly known = new Map<string, string>();
  // Whether the set-up is shown.
  private opened = false;
  private readonly stopping = button("Stop", () => this.stop(), { disabled: true });
  private readonly form = make("div", {});
  private readonly command = make("code", {});
  private readonly bar = make("progress", { max: 1, value: 0, "aria-label": "how much is done", hidden: true });
  private readonly state = make("p", { role: "status", class: "note" });
  private readonly result = make("div", { class: "result" });

  constructor(
    private readonly parent: HTMLElement,
    private readonly project: Project,
    private readonly desk: Desk,
    private readonly editor: Editor,
    private readonly say: (text: string) => void,
    private readonly jump: (path: string, line: number) => void,
  ) {
    // Another worker counts from the beginning.
    desk.restarted = () => (this.before = this.latest = {});
    desk.told = (text) => this.told(JSON.parse(text) as Told);
  }

  async open() {
    const found = await listed(this.desk, gamesOf(this.project, this.editor.path)).catch(() => undefined);
    if (!found) return;
    this.games = found.games;
    const [first] = this.games;
    if (!first) {
      this.parent.replaceChildren(make("p", { class: "hint" }, "There is no game to ask about: its file or its rules have errors."), make("pre", { class: "wrong", tabindex: 0 }, found.wrong.join("\n")));
      return;
    }
    if (!this.games.some(({ game }) => game === this.setUp.game)) this.setUp = plain(first.game);
    this.parent.replaceChildren(
      this.form,
      make("p", { class: "command" }, this.command, button("Copy", () => this.copy(), { title: "Copy the command" })),
      make("p", { class: "tools" }, button("Ask", () => void this.run(), { class: "main" }), this.stopping),
      this.bar,
      this.state,
      this.result,
    );
    this.render();
  }

  // Another project was opened.
  clear() {
    this.stop();
    this.setUp = plain("");
    this.result.replaceChildren();
    this.state.textContent = "";
  }

  private render() {
    const kind = KINDS[this.kind];
    if (this.kind === "compare") this.opened = true;
    const game = this.games.find(({ game }) => game === this.setUp.game);
    if (!kind || !game) return;
    const kinds = Object.entries(KINDS).map(([id, { title }]) =>
      button(title, () => this.choose(id), { "aria-pressed": String(id === this.kind) }),
    );
    const games = this.games.map(({ game, title }): [string, string] => [game, title]);
    const another = (id: string) => {
      this.setUp = plain(id);
      this.render();
    };
    this.form.replaceChildren(
      make("div", { class: "palette" }, ...kinds),
      make("p", { class: "hint" }, kind.about),
      make("div", { class: "fields" }, make("label", {}, "Game", choice(games, this.setUp.game, another)), ...kind.fields.map((field) => this.field(field))),
      ...(kind.setUp ? [this.details(game)] : []),
    );
    this.show();
  }

  // Chooses another question: what is shown would not be its answer.
  private choose(kind: string) {
    if (kind === this.kind) return;
    this.stop();
    this.kind = kind;
    this.result.replaceChildren();
    this.state.textContent = "";
    this.render();
  }

  private details(game: Game): HTMLElement {
    const details = make("details", { class: "more", open: this.opened, ontoggle: () => (this.opened = details.open) }, make("summary", {}, "Set-up"), setUpForm(game, this.setUp, () => this.render()));
    return details;
  }

  private field(field: Field): HTMLElement {
    const LABELS: Record<Field, [string, string, number]> = {
      count: ["Games", "number", 8],
      policy: ["Policy", "text", 18],
      chance: ["Chance of", "text", 18],
      within: ["Turns ahead", "number", 5],
      from: ["From", "text", 10],
    };
    if (field === "from") {
      const from: [string, string][] = [["set-up", "the set-up"], ["cursor", "the example at the cursor"]];
      return make("label", {}, "From", choice(from, this.values.from, (value) => ((this.values.from = value), this.show())));
    }
    const [label, type, size] = LABELS[field];
    const hint = field === "chance" ? "winner red" : field === "within" ? "to the end" : "";
    const input = make("input", { type, value: this.values[field], size, placeholder: hint, min: type === "number" ? 1 : undefined });
    input.addEventListener("input", () => {
      this.values[field] = input.value.trim();
      this.show();
    });
    if (field !== "policy") return make("label", {}, label, input);
    input.setAttribute("list", "policies");
    return make("label", {}, label, input, make("datalist", { id: "policies" }, ...this.policies().map((value) => make("option", { value }))));
  }

  // Policies that can be asked about: those of one player after their name.
  private policies(): string[] {
    const players = this.games.find(({ game }) => game === this.setUp.game)?.players ?? [];
    const all = this.kind === "odds" ? ["random", "best", "worst"] : ["random", "mcts:200", "greedy:me.score"];
    return [...all, ...players.slice(0, 2).flatMap((player) => all.slice(1, 2).map((policy) => `${player}=${policy}`))];
  }

  private show() {
    this.command.textContent = ["referee", ...this.asked().words.map(quoted)].join(" ");
  }

  private copy() {
    void navigator.clipboard.writeText(this.command.textContent ?? "").then(
      () => this.say("command copied"),
      () => getSelection()?.selectAllChildren(this.command),
    );
  }

  private asked(): Asked {
    const { setUp, values } = this;
    const count = Math.max(1, Math.round(Number(values.count) || 1));
    const policies = values.policy === "" ? [] : values.policy.split(/\s+(?=[\w-]+=(?!=))/);
    const chance = values.chance === "" ? null : values.chance;
    if (this.kind === "readings" || this.kind === "coverage" || this.kind === "mutate") {
      return { words: [this.kind, setUp.game], question: { ask: this.kind, game: setUp.game } };
    }
    const policyFlags = policies.flatMap((policy) => ["--policy", policy]);
    const chanceFlags = chance === null ? [] : ["--chance", chance];
    if (this.kind === "odds") {
      const { path } = this.editor;
      const line = this.editor.line();
      const atCursor = values.from === "cursor" && path !== undefined;
      const within = values.within === "" ? null : Math.max(1, Math.round(Number(values.within) || 1));
      const ahead = within === null ? (chance === null ? [] : ["--to-the-end"]) : ["--within", String(within)];
      return {
        words: ["odds", atCursor ? `${path}:${line}` : setUp.game, ...(atCursor ? [] : flags(setUp)), ...policyFlags, ...chanceFlags, ...ahead],
        question: { ask: "odds", from: atCursor ? { line: { path, line } } : { set_up: setUp }, policies, chance, within },
      };
    }
    const policy = values.policy === "random" ? [] : policyFlags;
    if (this.kind === "compare") {
      const { variant, players, houses, with: options } = setUp;
      const changed = [...houses.flatMap((house) => ["--house", house]), ...options.flatMap(([name, value]) => ["--set", `${name}=${value}`])];
      return {
        words: ["compare", setUp.game, ...changed, ...flags({ ...plain(setUp.game), variant, players }), "-n", String(count), ...policy, "--states", "0"],
        question: { ask: "compare", set_up: setUp, policies, seed: 1, count },
      };
    }
    return {
      words: ["simulate", setUp.game, ...flags(setUp), "-n", String(count), ...policy, ...chanceFlags],
      question: { ask: "simulate", set_up: setUp, policies, chance, seed: 1, count },
    };
  }

  // Ends with what there is. A question that is answered in one step ends with its worker.
  private stop() {
    if (this.round % 2 === 0) return;
    this.round += 1;
    if (this.running === "odds") this.desk.stop("stopped");
    this.ended("stopped");
  }

  // Says why there is no more, and what was reached.
  private ended(why: string) {
    const reached = (this.state.textContent ?? "").replace(/ so far …$/, "");
    this.state.textContent = reached === "" || reached === "…" ? why : `${why}: ${reached}`;
    this.running = undefined;
    this.stopping.disabled = true;
    this.bar.hidden = true;
  }

  // Shows what is told in the middle of a question.
  private told({ states, solving, outcome, chance }: Told) {
    if (this.running === undefined) return;
    const { before, latest } = this;
    if (states !== undefined) latest.states = states;
    if (solving !== undefined) latest.solving = solving;
    if (outcome !== undefined) latest.outcome = outcome;
    if (chance !== undefined && latest.outcome !== undefined) this.known.set(latest.outcome, chance);
    const count = (now: number | undefined, then: number | undefined, unit: string) => {
      const own = (now ?? 0) - (then ?? 0);
      return own > 0 ? [`${own.toLocaleString("en")} ${unit}`] : [];
    };
    const counts = [...count(latest.states, before.states, "states"), ...count(latest.solving, before.solving, "steps of solving")];
    if (counts.length > 0) this.state.textContent = `${counts.join(", ")} so far …`;
    const rows = [...this.known].map(([name, chance]) => `${name}  ${chance}`);
    if (rows.length > 0) this.result.replaceChildren(make("pre", { tabindex: 0 }, rows.join("\n")));
  }

  // An odd round is under way.
  private async run() {
    this.stop();
    const round = ++this.round;
    const { question } = this.asked();
    this.result.replaceChildren();
    this.state.textContent = "…";
    this.running = this.kind;
    this.before = { ...this.latest };
    this.known.clear();
    this.stopping.disabled = false;
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    try {
      if (this.kind === "compare" && this.setUp.houses.length === 0 && this.setUp.with.length === 0) {
        return this.refused(["Choose an option or a house rule under Set-up: it is compared with the game as it is."]);
      }
      const refused = await this.desk.ask<Slice>({ op: "ask", question });
      if (refused?.rendered) return this.refused(refused.rendered);
      let [work, unit] = [1, ""];
      for (let finished = false; !finished; ) {
        const began = performance.now();
        const slice = await this.desk.ask<Slice>({ op: "more", work });
        if (!slice || round !== this.round) return;
        if (slice.rendered) return this.refused(slice.rendered);
        this.slice(slice);
        const took = Math.max(1, performance.now() - began);
        // A unit of another kind may take much longer: tests are followed by changes of the rules.
        work = slice.unit === unit ? Math.max(1, Math.min(work * 4, Math.round((work * SLICE) / took))) : 1;
        unit = slice.unit;
        finished = slice.finished;
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      // Its worker has ended, and the next one counts from the beginning.
      this.latest = {};
      if (round === this.round) this.ended(error.message);
    } finally {
      if (round === this.round) {
        this.round += 1;
        this.running = undefined;
        this.stopping.disabled = true;
        this.bar.hidden = true;
      }
    }
  }

  private refused(rendered: string[]) {
    this.state.textContent = "";
    this.result.replaceChildren(make("pre", { class: "wrong", tabindex: 0 }, ...this.linked(rendered.join("\n"))));
  }

  // Returns a text whose places in files of the project can be clicked.
  private linked(text: string): (string | HTMLElement)[] {
    return text.split(/([\w./-]+\.(?:rhai|game|scenario|md):\d+)/).map((part, at) => {
      const [path = "", line] = part.split(":");
      if (at % 2 === 0 || this.project.files[path] === undefined) return part;
      return button(part, () => this.jump(path, Number(line)), { class: "link" });
    });
  }

  private slice({ done, all, unit, human, json }: Slice) {
    const of = all === null || all === done ? "" : ` of ${all.toLocaleString("en")}`;
    this.state.textContent = `${done.toLocaleString("en")}${of} ${unit}`;
    if (all !== null && all > 0) this.bar.value = done / all;
    if (human === null) return;
    const open = this.result.querySelector("details")?.open ?? false;
    const pictures = drawn(json);
    const text = make("pre", { tabindex: 0 }, ...this.linked(human));
    // What the pictures do not show.
    this.result.replaceChildren(...pictures, pictures.length === 0 ? text : make("details", { open }, make("summary", {}, "All statistics"), text));
  }
}

// A word of a command line for a shell.
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
