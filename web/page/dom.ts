// Small helpers for elements.

export function byId<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as E;
}

export type Child = Node | string | undefined;

// Makes an element: attributes that are `undefined` or false are left out, `on…` are listeners.
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined));
  return made;
}

export function button(text: string, act: () => void, attributes: Record<string, unknown> = {}): HTMLButtonElement {
  return make("button", { type: "button", onclick: act, ...attributes }, text);
}

// Makes a choice: pairs of a value and its words.
export function choice(options: [string, string][], chosen: string, act: (value: string) => void, attributes: Record<string, unknown> = {}): HTMLSelectElement {
  const select = make("select", { ...attributes, onchange: () => act(select.value) });
  select.append(...options.map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
  return select;
}

// Adds the style of pictures, which the module has.
export function styled(text: string | null) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text ?? "");
  document.adoptedStyleSheets.push(sheet);
}

let pictures = 0;

// Makes a picture of the text of an SVG, without its style, which the page has, and with ids of its own.
export function picture(svg: string): SVGSVGElement | undefined {
  const bare = svg.replace(/<style>[^]*?<\/style>/, "");
  const found = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (found.nodeName !== "svg") return undefined;
  pictures += 1;
  const own = (ids: string | null) => (ids ?? "").split(" ").map((id) => `p${pictures}-${id}`).join(" ");
  for (const element of found.querySelectorAll("[id]")) element.id = own(element.id);
  for (const name of ["aria-labelledby", "aria-describedby"]) {
    if (found.hasAttribute(name)) found.setAttribute(name, own(found.getAttribute(name)));
  }
  return document.importNode(found, true) as unknown as SVGSVGElement;
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

// Shows a dialog; `done` gets what it returns.
function dialog(content: HTMLElement[], done: (value: string) => void) {
  const element = byId<HTMLDialogElement>("dialog");
  const before = document.activeElement;
  element.replaceChildren(...content);
  element.returnValue = "";
  element.addEventListener(
    "close",
    () => {
      if (before instanceof HTMLElement) before.focus();
      done(element.returnValue);
    },
    { once: true },
  );
  element.showModal();
}

export const closeDialog = () => byId<HTMLDialogElement>("dialog").close("");

// Asks in a dialog for one line of text; `undefined` if it is closed.
export function askFor(label: string, value: string): Promise<string | undefined> {
  const input = make("input", { value, size: 36, spellcheck: "false" });
  const form = make(
    "form",
    { method: "dialog" },
    make("label", {}, label, input),
    make("p", { class: "tools" }, make("button", { value: "ok", class: "main" }, "OK"), button("Cancel", closeDialog)),
  );
  return new Promise((done) => {
    dialog([form], (answer) => done(answer === "ok" ? input.value.trim() : undefined));
    input.select();
  });
}

// Asks in a dialog whether to do something.
export function confirmed(question: string, word: string): Promise<boolean> {
  const form = make(
    "form",
    { method: "dialog" },
    make("p", {}, question),
    make("p", { class: "tools" }, make("button", { value: "ok", class: "main" }, word), button("Cancel", closeDialog)),
  );
  return new Promise((done) => dialog([form], (answer) => done(answer === "ok")));
}

// Shows elements in a dialog with a button to close it.
export function show(title: string, ...children: Child[]) {
  dialog([make("h2", {}, title), make("div", {}, ...children), make("p", { class: "tools" }, button("Close", closeDialog))], () => {});
}

export function download(name: string, data: BlobPart, type: string) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// What may stand in a text that is shown as a part of the page.
const TAGS = new Set("P CODE PRE STRONG EM UL OL LI BR HR H1 H2 H3 H4 H5 H6 TABLE THEAD TBODY TR TH TD BLOCKQUOTE SPAN DEL".split(" "));

// Returns HTML without anything active, and without links: texts of a project may come from anybody.
export function harmless(html: string): string {
  const found = new DOMParser().parseFromString(html, "text/html").body;
  const clean = (from: Node, to: Node) => {
    for (const child of from.childNodes) {
      if (child instanceof Text) to.appendChild(document.createTextNode(child.data));
      else if (child instanceof Element) {
        const kept = document.createElement(TAGS.has(child.tagName) ? child.tagName : "span");
        to.appendChild(kept);
        if (child.tagName !== "SCRIPT" && child.tagName !== "STYLE") clean(child, kept);
      }
    }
  };
  const made = document.createElement("div");
  clean(found, made);
  return made.innerHTML;
}
