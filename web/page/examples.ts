// The examples with their verdicts: all of the project, run again after each change.

import type { LSPClient } from "@codemirror/lsp-client";
import { board } from "./boards";
import { make, button } from "./dom";
import { fixesAt, isError, type Problems } from "./problems";
import type { Project } from "./project";
import { addressOf } from "./workspace";

interface Failure {
  line: number | null;
  message: string;
  rendered: string;
  expected: string | null;
  reached: string | null;
  expectedSvg: string | null;
  reachedSvg: string | null;
}

interface Test {
  title: string;
  line: number;
  status: "passed" | "failed" | "errored" | "skipped";
  failures: Failure[];
}

const SIGNS = { passed: "✓", failed: "✗", errored: "!", skipped: "–" };
// The failures of a file for which fixes are looked for.
const MAX_FIXED = 5;
const MAX_MESSAGES = 20;
// The lines of a message below its first one: what is wrong, and what helps.
const MAX_LINES = 6;

const isExamples = (path: string) => /\.(scenario|md)$/.test(path);

export class ExamplePane {
  private readonly summary = make("span", { role: "status", class: "summary" }, "running …");
  private readonly messages = make("ul", { class: "messages" });
  private readonly list = make("div", {});
  // Leads to the first example that fails.
  private readonly first = button("Show the first", () => this.list.querySelector(".failure")?.scrollIntoView({ block: "start" }), { hidden: true });
  private listed = "[]";
  // Whether files wait to be run.
  private more = true;
  private readonly found = new Map<string, Test[]>();
  private readonly shown = new Map<string, HTMLElement>();
  // What is shown of each file.
  private readonly keys = new Map<string, string>();
  // The files whose list the visitor has opened or closed.
  private readonly toggled = new Map<string, boolean>();

  constructor(
    parent: HTMLElement,
    private readonly project: Project,
    private readonly problems: Problems,
    private readonly client: () => LSPClient,
    private readonly jump: (path: string, line: number) => void,
  ) {
    parent.append(make("h2", {}, "Examples ", this.summary, " ", this.first), this.messages, this.list);
  }

  // Forgets all results: another project was opened.
  clear() {
    this.found.clear();
    this.shown.clear();
    this.toggled.clear();
    this.first.hidden = true;
    this.list.replaceChildren();
    this.summary.textContent = "running …";
  }

  // Shows the results of a file that was run. With `more`, others are run next.
  async ran(path: string, more: boolean) {
    this.more = more;
    if (isExamples(path)) {
      const asked = { textDocument: { uri: addressOf(path) } };
      const answer = await this.client().request<object, { tests: Test[] | null }>("referee/results", asked).catch(() => undefined);
      // Without tests the file has changed since: it is run again.
      if (answer?.tests) {
        this.found.set(path, answer.tests);
        this.render(path, answer.tests);
      }
    }
    this.update();
  }

  // Shows the sums and the messages.
  update() {
    const { more } = this;
    const paths = this.project.paths();
    for (const path of this.found.keys()) {
      if (paths.includes(path)) continue;
      this.found.delete(path);
      this.shown.get(path)?.remove();
      this.shown.delete(path);
    }
    const tests = [...this.found.values()].flat();
    const passed = tests.filter((test) => test.status === "passed").length;
    const broken = paths.map((path) => [path, this.problems.of(path).filter(isError)] as const);
    const wrong = broken.filter(([path, items]) => items.length > 0 && (this.found.get(path)?.length ?? 0) === 0);
    const files = wrong.length > 0 ? `, ${wrong.length} ${wrong.length === 1 ? "file has" : "files have"} errors` : "";
    this.summary.textContent = `${passed} passed, ${tests.length - passed} failed${files}${more ? " …" : ""}`;
    this.summary.className = `summary ${more ? "" : passed === tests.length && wrong.length === 0 ? "passed" : "failed"}`;
    this.first.hidden = passed === tests.length;
    const items = wrong.flatMap(([path, items]) => items.map((item) => [path, item] as const)).slice(0, MAX_MESSAGES);
    const key = JSON.stringify(items);
    if (key === this.listed) return;
    this.listed = key;
    this.messages.replaceChildren(
      ...items.map(([path, item], at) => {
        const line = item.range.start.line + 1;
        const go = button(`${path}:${line}`, () => this.jump(path, line), { class: "link" });
        const [message = "", ...more] = item.message.split("\n");
        const place = make("p", { class: "tools" });
        if (at < MAX_FIXED) void this.fixes(path, line, place);
        const words = make("div", {}, go, ` ${message}`, ...more.slice(0, MAX_LINES).map((text) => make("div", { class: "quiet" }, text)), place);
        return make("li", { class: "errored head" }, make("span", { class: "sign", role: "img", "aria-label": "error" }, "!"), words);
      }),
    );
  }

  private render(path: string, tests: Test[]) {
    const before = this.shown.get(path);
    if (tests.length === 0) {
      before?.remove();
      this.shown.delete(path);
      return;
    }
    const key = JSON.stringify(tests);
    if (before && this.keys.get(path) === key) return;
    this.keys.set(path, key);
    const made = this.file(path, tests);
    this.shown.set(path, made);
    if (before) return before.replaceWith(made);
    const next = [...this.shown.keys()].filter((other) => other > path).sort()[0];
    this.list.insertBefore(made, (next === undefined ? undefined : this.shown.get(next)) ?? null);
  }

  private file(path: string, tests: Test[]): HTMLElement {
    const passed = tests.filter((test) => test.status === "passed").length;
    const all = passed === tests.length;
    const few = this.project.paths().filter(isExamples).length <= 4;
    const summary = make("summary", {}, make("span", { class: "sign", role: "img", "aria-label": all ? "passed" : "failed" }, all ? SIGNS.passed : SIGNS.failed), `${path} `, make("small", {}, `${passed} of ${tests.length} passed`));
    const open = this.toggled.get(path) ?? (!all || few);
    const items = tests.map((test) => this.test(path, test));
    const details = make("details", { open, class: all ? "passed" : "failed" }, summary, make("ul", {}, ...items));
    summary.addEventListener("click", () => this.toggled.set(path, !details.open));
    let looked = 0;
    for (const test of tests) {
      for (const [at, failure] of test.failures.entries()) {
        if (failure.line === null || ++looked > MAX_FIXED) break;
        const place = details.querySelector(`[data-fixes="${test.line}-${at}"]`);
        if (place) void this.fixes(path, failure.line, place);
      }
    }
    return details;
  }

  private async fixes(path: string, line: number, place: Element) {
    const found = await fixesAt(this.client(), path, line).catch(() => []);
    place.append(...found.map((fix) => button(fix.title, fix.apply)));
  }

  private test(path: string, test: Test): HTMLElement {
    const sign = make("span", { class: "sign", role: "img", "aria-label": test.status }, SIGNS[test.status]);
    const go = button(test.title, () => this.jump(path, test.line), { class: "link" });
    const failures = test.failures.map((failure, at) => this.failure(path, failure, `${test.line}-${at}`));
    return make("li", { class: test.status }, make("div", { class: "head" }, sign, go), ...failures);
  }

  private failure(path: string, failure: Failure, id: string): HTMLElement {
    const { line, expectedSvg, reachedSvg } = failure;
    const go = line === null ? undefined : button(`line ${line}`, () => this.jump(path, line), { class: "link" });
    const values = (label: string, value: string | null) =>
      value === null ? undefined : make("div", {}, make("dt", {}, label), make("dd", {}, value));
    const both = expectedSvg !== null && reachedSvg !== null;
    const boards = [expectedSvg === null ? undefined : figure("expected", expectedSvg), reachedSvg === null ? undefined : figure("reached", reachedSvg)];
    const whole = make("details", {}, make("summary", {}, "the whole message"), make("pre", { tabindex: 0 }, failure.rendered.trim()));
    return make(
      "div",
      { class: "failure" },
      make("p", {}, go, go ? ": " : undefined, failure.message),
      both ? undefined : make("dl", {}, values("expected", failure.expected), values("reached", failure.reached)),
      expectedSvg === null && reachedSvg === null ? undefined : make("div", { class: "boards" }, ...boards),
      make("p", { class: "tools", "data-fixes": id }),
      whole,
    );
  }
}

const NO_MARKS = { open: new Set<string>(), chosen: [] };

function figure(label: string, svg: string): HTMLElement {
  return make("figure", {}, make("figcaption", {}, label), board(svg, [], NO_MARKS, undefined));
}
