// The games of a project.

import type { Desk } from "./desk";
import { make } from "./dom";
import type { Project } from "./project";

interface Option {
  option: string;
  title: string;
  values: string[];
  default: string;
}

export interface Game {
  game: string;
  title: string;
  players: string[];
  fewest: number;
  most: number;
  variants: { variant: string; title: string; fewest: number; most: number }[];
  options: Option[];
  // Each with the options that it declares, which only games with it have.
  houses: { house: string; title: string; options: Option[] }[];
}

interface Listed {
  games: { games: Game[] };
  wrong: { rendered: string[] };
}

// Returns the names of its games, and of the bundled games that its examples use; that of the shown file first.
export function gamesOf(project: Project, shown: string | undefined): string[] {
  const used = (text: string | undefined) => [...(text ?? "").matchAll(/^\s*use\s+([^\s#]+)/gm)].map((found) => found[1] ?? "");
  const folder = shown?.match(/^games\/([^/]+)\//)?.[1];
  const near = [...(folder === undefined ? [] : [folder]), ...(/\.(scenario|md)$/.test(shown ?? "") ? used(project.files[shown ?? ""]) : [])];
  const own = project.paths().flatMap((path) => path.match(/^games\/([^/]+)\/\1\.game$/)?.[1] ?? []);
  const others = project.paths().filter((path) => /\.(scenario|md)$/.test(path)).flatMap((path) => used(project.files[path]));
  return [...new Set([...near, ...own, ...others])].filter((id) => id !== "");
}

// Returns what the games are for; a game with errors is left out, and its errors are returned.
export async function listed(desk: Desk, names: string[]): Promise<{ games: Game[]; wrong: string[] }> {
  const found = await desk.ask<Listed>({ op: "games", names }, "games");
  return { games: found?.games.games ?? [], wrong: found?.wrong.rendered ?? [] };
}

// A set-up, as the module reads it.
export interface SetUp {
  game: string;
  variant: string | null;
  players: number | null;
  houses: string[];
  with: [string, string][];
}

export const plain = (game: string): SetUp => ({ game, variant: null, players: null, houses: [], with: [] });

// Returns a form for a set-up of a game; `changed` is called after each change.
export function setUpForm(game: Game, setUp: SetUp, changed: () => void): HTMLElement {
  const fields: HTMLElement[] = [];
  const select = (label: string, options: [string, string][], chosen: string, act: (value: string) => void) => {
    const field = make("select", {
      onchange: () => {
        act(field.value);
        changed();
      },
    });
    field.append(...options.map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
    fields.push(make("label", {}, label, field));
  };
  if (game.variants.length > 0) {
    const words = game.variants.map(({ variant, title }): [string, string] => [variant, title === "" || title === variant ? variant : `${variant}: ${title}`]);
    select("Variant", [["", "the first"], ...words], setUp.variant ?? "", (value) => (setUp.variant = value || null));
  }
  const { fewest, most } = game.variants.find(({ variant }) => variant === setUp.variant) ?? game.variants[0] ?? game;
  if (fewest < most) {
    const counts = Array.from({ length: most - fewest + 1 }, (_, at): [string, string] => [String(fewest + at), String(fewest + at)]);
    select("Players", counts, String(setUp.players ?? fewest), (value) => (setUp.players = Number(value)));
  }
  const ofHouses = game.houses.filter(({ house }) => setUp.houses.includes(house)).flatMap(({ options }) => options);
  for (const { option, title, values, default: usual } of [...game.options, ...ofHouses]) {
    const now = setUp.with.find(([name]) => name === option)?.[1] ?? usual;
    const set = (value: string) => {
      setUp.with = setUp.with.filter(([name]) => name !== option);
      if (value !== usual) setUp.with.push([option, value]);
    };
    const label = title === "" ? option : title;
    if (values.some((value) => value.includes(".."))) {
      const field = make("input", {
        value: now,
        size: 5,
        onchange: () => {
          set(field.value.trim());
          changed();
        },
      });
      fields.push(make("label", {}, label, field));
    } else {
      select(label, values.map((value) => [value, value]), now, set);
    }
  }
  for (const { house, title, options } of game.houses) {
    const box = make("input", {
      type: "checkbox",
      checked: setUp.houses.includes(house),
      onchange: () => {
        setUp.houses = setUp.houses.filter((name) => name !== house);
        if (box.checked) setUp.houses.push(house);
        else setUp.with = setUp.with.filter(([name]) => !options.some(({ option }) => option === name));
        changed();
      },
    });
    fields.push(make("label", { class: "check" }, box, title === "" ? house : `${house}: ${title}`));
  }
  return make("div", { class: "fields" }, ...fields);
}

// Returns the flags of the command line for a set-up.
export function flags({ variant, players, houses, with: options }: SetUp): string[] {
  return [
    ...(variant === null || variant === "" ? [] : ["--variant", variant]),
    ...(players === null ? [] : ["--players", String(players)]),
    ...houses.flatMap((house) => ["--house", house]),
    ...options.flatMap(([name, value]) => ["--with", `${name}=${value}`]),
  ];
}
