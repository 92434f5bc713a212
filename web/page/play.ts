// A game at a table: people and policies, chance by the seed or by hand.

import { Clicks, board, hasFocus, inWords, refocus, type Cell } from "./boards";
import { Stopped, type Desk } from "./desk";
import { button, choice, make } from "./dom";
import { gamesOf, listed, plain, setUpForm, type Game, type SetUp } from "./games";
import type { Project } from "./project";

type Said = string | string[];

interface Decision {
  player: string;
  verb: string;
  options: string[] | null;
  // The forms of what may be written besides.
  open: string[];
  // Whether the player may resign instead.
  resigns: boolean;
}

interface Standing {
  svg: string;
  cells: Cell[];
  players: { name: string; person: boolean }[];
  private: boolean;
  over: boolean;
  turn: string | null;
  standing: string;
  values: string[];
  events: string[];
  answers: { said: Said; person: boolean }[];
  given: string[];
  // The throws since the last decision.
  rolled: string[];
  decision: Decision | null;
  chance: { asks: string; words: string[] | null } | null;
  refused: string | null;
  about: string | null;
  fault: { rendered: string[] } | null;
  record: string | null;
  // Instead of all others, if the game cannot begin.
  rendered?: string[];
}

// Where a game is written down; the page of one game has none.
export interface Author {
  readonly path: string | undefined;
  append(path: string, text: string): unknown;
  // Makes a file in which a game can be played.
  save(game: string, title: string): void;
}

const POLICIES: [string, string][] = [["", "a person"], ["random", "random"], ["greedy", "greedy"], ["mcts:200", "mcts"]];
const MAX_SHOWN = 80;
// The events that are shown: the last ones.
const MAX_EVENTS = 12;

export class PlayPane {
  private setUp: SetUp = plain("");
  private seed = 1;
  private byHand = false;
  private policies = new Map<string, string>();
  private games: Game[] = [];
  private answers: { said: Said; person: boolean }[] = [];
  private given: string[] = [];
  private viewer: string | undefined;
  private standing: Standing | undefined;
  private wrong: string[] = [];
  private note = "";
  private filter = "";
  // Whether the set-up is shown.
  private opened = false;
  private round = 0;
  private readonly clicks = new Clicks();

  constructor(
    private readonly parent: HTMLElement,
    private readonly project: Project,
    private readonly desk: Desk,
    private readonly author: Author | undefined,
    private readonly say: (text: string) => void,
    // The only game, if there is no choice.
    private readonly only?: string,
  ) {}

  // Begins a game of the shown file's; a game under way goes on.
  async open() {
    const names = this.only === undefined ? gamesOf(this.project, this.author?.path) : [this.only];
    const found = await listed(this.desk, names).catch(() => undefined);
    if (!found) return;
    this.games = found.games;
    if (this.games.some(({ game }) => game === this.setUp.game) && this.standing) return this.render();
    this.wrong = found.wrong;
    const [first] = this.games;
    if (first) this.begin(plain(first.game));
    else this.parent.replaceChildren(make("p", { class: "hint" }, "There is no game to play: its file or its rules have errors."), make("pre", { class: "wrong", tabindex: 0 }, found.wrong.join("\n")));
  }

  // Another project was opened.
  clear() {
    this.standing = undefined;
    this.setUp = plain("");
    this.byHand = false;
    this.opened = false;
    this.policies.clear();
  }

  // Begins another game.
  private another(game: string) {
    this.policies.clear();
    this.begin(plain(game));
  }

  private begin(setUp: SetUp) {
    this.setUp = setUp;
    this.answers = [];
    this.given = [];
    this.viewer = undefined;
    this.filter = "";
    this.note = "";
    this.standing = undefined;
    void this.go();
  }

  private request(more: object = {}) {
    const policies = [...this.policies].filter(([, policy]) => policy !== "").map(([player, policy]) => `${player}=${policy}`);
    const answers: Said[] = this.answers.map((answer) => answer.said);
    if (this.given.length > 0) answers.push(this.given);
    return { op: "table", set_up: this.setUp, policies, seed: this.seed, by_hand: this.byHand, viewer: this.viewer ?? null, answers, ...more };
  }

  private async ask(more: object = {}): Promise<Standing | undefined> {
    try {
      return (await this.desk.ask<Standing>(this.request(more))) ?? undefined;
    } catch (error) {
      if (error instanceof Stopped) this.say(error.message);
      else throw error;
      return undefined;
    }
  }

  // Gives the answers so far, and shows where the game stands then.
  private async go(): Promise<void> {
    const round = ++this.round;
    const focus = hasFocus(this.parent);
    const found = await this.ask();
    if (!found || round !== this.round) return;
    this.clicks.chosen = [];
    if (found.rendered) {
      this.wrong = found.rendered;
      this.standing = undefined;
      this.render();
      return;
    }
    this.wrong = [];
    this.standing = found;
    this.parent.dataset["answers"] = String(found.answers.length);
    this.answers = found.answers;
    this.given = found.given;
    this.note = found.refused ?? "";
    const people = found.players.filter((player) => player.person);
    if (this.viewer === undefined && people.length === 1) {
      this.viewer = people[0]?.name;
      if (found.private || found.decision) return this.go();
    }
    this.render();
    if (focus) refocus(this.parent);
  }

  private answer(words: string) {
    const { decision, chance } = this.standing ?? {};
    if (!decision && !chance) return;
    this.filter = "";
    this.answers.push({ said: decision && this.given.length > 0 ? [...this.given, words] : words, person: true });
    this.given = [];
    void this.go();
  }

  private undo() {
    const at = this.answers.findLastIndex((answer) => answer.person);
    if (at < 0 && this.given.length === 0) return this.tell("there is no answer to take back");
    // One of several who are asked at once, or the last answer.
    if (this.given.length > 0) this.given = [];
    else this.answers = this.answers.slice(0, at);
    if (this.standing?.private) this.viewer = undefined;
    void this.go();
  }

  private tell(note: string) {
    this.note = note;
    this.render();
  }

  private async about(about: object | string) {
    const found = await this.ask({ about });
    if (found?.about) this.tell(found.about);
  }

  // Writes the game, or the position before the last turn and that turn, as a scenario into the open file.
  private async record(whole: boolean) {
    const game = this.games.find(({ game }) => game === this.setUp.game)?.title ?? this.setUp.game;
    const found = await this.ask({ record: { title: whole ? `A game of ${game}` : `A turn of ${game}`, whole } });
    if (!found?.record) return this.tell("nothing was played yet");
    const { author } = this;
    if (!author) return;
    const { path } = author;
    const target = path?.endsWith(".scenario") ? path : `scenarios/${this.setUp.game}-played.scenario`;
    if (this.project.files[target] === undefined) this.project.add({ [target]: "" });
    const before = [...(this.project.files[target] ?? "").matchAll(/^use[ \t]+(.*?)[ \t]*(?:#.*)?$/gm)].at(-1)?.[1];
    // The line `use` above holds for what is written below, if it is the same.
    const text = found.record.replace(/^use[ \t]+(.*)\n+/m, (line, used: string) => (used === before ? "" : line));
    author.append(target, text);
    this.say(`written into ${target}`);
  }

  private render() {
    const { standing } = this;
    const focused = document.activeElement instanceof HTMLElement && this.parent.contains(document.activeElement) ? document.activeElement.dataset["keep"] : undefined;
    this.parent.replaceChildren(
      this.form(),
      ...(this.wrong.length > 0 ? [make("pre", { class: "wrong", tabindex: 0 }, this.wrong.join("\n"))] : []),
      ...(standing ? this.table(standing) : []),
    );
    if (focused !== undefined) this.parent.querySelector<HTMLElement>(`[data-keep="${focused}"]`)?.focus();
  }

  private form(): HTMLElement {
    const { setUp } = this;
    const games = this.games.map(({ game, title }): [string, string] => [game, title]);
    const game = this.games.find((game) => game.game === setUp.game);
    const seed = make("input", {
      type: "number",
      value: this.seed,
      min: 0,
      onchange: () => {
        this.seed = Math.max(0, Math.round(seed.valueAsNumber || 0));
        this.begin(setUp);
      },
    });
    const byHand = make("input", {
      type: "checkbox",
      checked: this.byHand,
      onchange: () => {
        this.byHand = byHand.checked;
        void this.go();
      },
    });
    const more: HTMLDetailsElement = make(
      "details",
      { class: "more", open: this.opened, ontoggle: () => (this.opened = more.open) },
      make("summary", {}, "Set-up"),
      game ? setUpForm(game, setUp, () => this.begin(setUp)) : undefined,
      make("div", { class: "fields" }, make("label", {}, "Seed", seed)),
    );
    return make(
      "div",
      { class: "setup" },
      this.only === undefined ? make("label", {}, "Game", choice(games, setUp.game, (value) => this.another(value))) : undefined,
      button("New game", () => {
        // Another seed, or the same dice would come again.
        this.seed += 1;
        this.begin(setUp);
      }),
      this.author && game ? button("Save as a page", () => this.author?.save(game.game, game.title), { title: "One file in which this game can be played, without a network" }) : undefined,
      make("label", { class: "check" }, byHand, "set dice and cards by hand"),
      more,
    );
  }

  private table(standing: Standing): (HTMLElement | string)[] {
    const { decision, chance, fault } = standing;
    const options = decision?.options ?? (chance ? chance.words : null) ?? [];
    const names = new Set(standing.cells.map((cell) => cell.cell));
    const marks = { open: this.clicks.next(options, names), chosen: this.clicks.chosen };
    const act = (cell: Cell) => {
      const meant = this.clicks.choose(cell.cell, options, names);
      if (meant !== undefined) return this.answer(meant);
      if (this.clicks.chosen.length === 0 && decision?.options) this.note = `nothing can be done with ${cell.cell} now`;
      else this.note = "";
      this.render();
      refocus(this.parent);
    };
    const players = standing.players.map(({ name }) => this.seat(name, standing));
    const events = standing.events.slice(-MAX_EVENTS).reverse();
    return [
      make("div", { class: "seats" }, ...players),
      make("p", { class: "standing", role: "status" }, ...standing.rolled.map((roll) => make("span", { class: "rolled" }, roll)), inWords(standing.standing)),
      board(standing.svg, standing.cells, marks, decision?.options || chance?.words ? act : undefined),
      fault ? make("pre", { class: "wrong", tabindex: 0 }, fault.rendered.join("\n")) : "",
      decision ? this.decision(decision, names) : "",
      chance ? this.choices(chance.asks, chance.words, names, false) : "",
      make("p", { class: "note", role: "status" }, this.note),
      make(
        "p",
        { class: "tools" },
        button("Undo", () => this.undo(), { "data-keep": "undo" }),
        ...(this.author ? [button("Make this game an example", () => void this.record(true)), button("Make the last turn an example", () => void this.record(false))] : []),
      ),
      events.length === 0 ? "" : make("ul", { class: "events", "aria-label": "what happened last" }, ...events.map((event) => make("li", {}, event))),
      standing.values.length === 0 ? "" : make("ul", { class: "values", "aria-label": "values" }, ...standing.values.map((value) => make("li", {}, value))),
    ];
  }

  private seat(name: string, standing: Standing): HTMLElement {
    const full = this.policies.get(name) ?? "";
    const now = full.startsWith("greedy") ? "greedy" : full;
    const set = (policy: string) => {
      this.policies.set(name, policy);
      void this.go();
    };
    const policy = choice(POLICIES, now, (value) => set(value === "greedy" ? "greedy:me.score" : value), { "aria-label": `who plays ${name}` });
    const expression = make("input", { value: full.slice("greedy:".length), size: 12, "aria-label": `what ${name} wants to be large`, onchange: () => set(`greedy:${expression.value.trim()}`) });
    const seen = this.viewer === name;
    const view = standing.private ? button(seen ? `${name}'s view` : `Show ${name}'s view`, () => this.see(seen ? undefined : name), { "aria-pressed": String(seen) }) : undefined;
    return make("span", { class: standing.turn === name ? "seat turn" : "seat" }, make("b", {}, name), " ", policy, now === "greedy" ? expression : undefined, view);
  }

  private see(viewer: string | undefined) {
    this.viewer = viewer;
    void this.go();
  }

  private decision(decision: Decision, names: ReadonlySet<string>): HTMLElement {
    const asks = `${decision.player} ${decision.verb}`;
    if (decision.options !== null) return this.choices(asks, decision.options, names, true, decision.open, decision.resigns);
    const { player } = decision;
    return make("p", {}, `${player} decides. When nobody else looks: `, button(`Show ${player}'s view`, () => this.see(player)));
  }

  // Shows the answers that can be given, to a decision of a player or to chance.
  // What may be written besides has one of the forms `open`.
  private choices(asks: string, options: string[] | null, names: ReadonlySet<string>, player: boolean, open: string[] = [], resigns = false): HTMLElement {
    const all = this.clicks.fitting(options ?? [], names);
    const input = make("input", { "aria-label": `answer to ${asks}`, placeholder: open.length > 0 ? open.join(", or ") : "or write an answer", value: this.filter, size: 20, "data-keep": "answer", autocomplete: "off" });
    const list = make("div", { class: "options" });
    const fill = () => {
      const fits = all.filter((option) => option.includes(this.filter.trim()));
      const rest = fits.length > MAX_SHOWN ? [`… ${fits.length - MAX_SHOWN} more: click a cell, or write a part of one`] : [];
      list.replaceChildren(...fits.slice(0, MAX_SHOWN).map((option) => button(option, () => this.answer(option))), ...rest);
    };
    fill();
    input.addEventListener("input", () => {
      this.filter = input.value;
      fill();
    });
    const submit = (event: Event) => {
      event.preventDefault();
      if (input.value.trim() !== "") this.answer(input.value.trim());
    };
    const form = make(
      "form",
      { class: "tools", onsubmit: submit },
      input,
      make("button", {}, "Answer"),
      player ? button("Why not?", () => (input.value.trim() === "" ? this.tell("write what should be possible, then ask why it is not") : void this.about({ why: input.value.trim() }))) : undefined,
      player ? button("Hint", () => void this.about("hint")) : undefined,
      resigns ? button("Resign", () => this.answer("resigns")) : undefined,
    );
    const chosen = this.clicks.chosen.length > 0 ? ` with ${this.clicks.chosen.join(", ")}` : "";
    const count = options === null ? "" : `: ${all.length} ${all.length === 1 ? "answer" : "answers"}${chosen}`;
    const more = open.length > 0 ? `, or write: ${open.join(", or ")}` : "";
    return make("div", { class: "decision" }, make("p", {}, `${asks}${count}${more}`), list, form);
  }
}
