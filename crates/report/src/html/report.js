// Lets a reader step through the positions by the arrow keys. Without it the page shows them one below the other.
"use strict";
(() => {
  const steps = [...document.querySelectorAll(".step")];
  const holder = document.getElementById("steps");
  if (steps.length < 2 || !holder) return;
  let at = -1;

  const bar = document.createElement("section");
  bar.className = "keys";
  bar.setAttribute("aria-label", "Steps");
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    bar.append(made);
    return made;
  };
  const go = (to) => {
    at = Math.min(Math.max(to, 0), steps.length - 1);
    steps.forEach((step, index) => step.classList.toggle("current", index === at));
    steps[at].focus({ preventScroll: true });
    steps[at].scrollIntoView({ block: "start" });
    place.textContent = `Step ${at} of ${steps.length - 1}`;
  };
  button("Back", () => go(at - 1));
  button("Next", () => go(at + 1));
  const alone = button("One at a time", () => {
    const on = document.body.classList.toggle("alone");
    alone.setAttribute("aria-pressed", String(on));
    go(Math.max(at, 0));
  });
  alone.setAttribute("aria-pressed", "false");
  const place = document.createElement("p");
  place.setAttribute("role", "status");
  place.textContent = "The left and right arrow keys step through.";
  bar.append(place);
  holder.before(bar);

  const asked = () => steps.findIndex((step) => `#${step.id}` === location.hash);
  addEventListener("hashchange", () => asked() >= 0 && go(asked()));
  if (asked() >= 0) go(asked());
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof HTMLPreElement) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(at + by);
  });
})();
