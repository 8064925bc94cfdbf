"use strict";

// Follows what changes: the server says that something has, and the parts marked "data-live" are taken
// from the page loaded once more. Everything else works without this script.

const gone = document.getElementById("gone");
const upload = document.getElementById("upload");
let version = document.body.dataset.version;
let isLoading = false;
let mayChange = "mayChange" in document.body.dataset;

function isBeingFilled(part) {
  if (askPin?.open) return true;
  const active = document.activeElement;
  const files = [...part.querySelectorAll("input[type=file]")].filter((each) => each.form?.id !== "upload");
  const hasPhoto = files.some((each) => each.files.length > 0); // chosen, and not sent yet
  return hasPhoto || (part.contains(active) && active.matches("input:not([type=file]), select"));
}

function wayTo(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["href", "value", "action"]) {
    const value = element.getAttribute(name);
    if (value !== null) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
  }
  return element.localName;
}

function take(part, fresh) {
  if (part.innerHTML === fresh.innerHTML || isBeingFilled(part)) return;
  const focused = part.contains(document.activeElement) ? wayTo(document.activeElement) : null;
  const open = [...part.querySelectorAll("details")].map((each) => each.open);
  part.replaceChildren(...fresh.childNodes);
  part.querySelectorAll("details").forEach((each, n) => { each.open = Boolean(open[n]); });
  if (focused) part.querySelector(focused)?.focus({ preventScroll: true });
}

// Forms that stay as they are can still be sent, once the PIN was given here or in another tab.

function trust(page) {
  const token = page.body.dataset.formToken;
  if (!token) return;
  mayChange = "mayChange" in page.body.dataset;
  document.body.dataset.formToken = token;
  document.querySelectorAll("input[name=form_token]").forEach((each) => { each.value = token; });
}

async function refresh() {
  if (isLoading) return;
  isLoading = true;
  const seen = version;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) location.assign("/"); // what it was about has gone
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh) take(part, fresh);
    }
    document.title = page.title;
    trust(page);
  } catch {
    gone.hidden = false;
  } finally {
    isLoading = false;
  }
  if (version !== seen) refresh();
}

// A browser tries a lost connection again by itself, but not one that was refused.

let source = null;

function listen() {
  source = new EventSource("/events");
  source.onmessage = (event) => {
    gone.hidden = true;
    if (event.data === version) return;
    version = event.data;
    refresh();
  };
  source.onerror = () => {
    gone.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

listen();
addEventListener("pagehide", () => source.close());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// What is sent before the PIN was given, a photo or a form, waits until it is.

const askPin = document.getElementById("ask-pin");
let waiting = null;

function withPin(act) {
  if (mayChange || !askPin) return act();
  waiting = act;
  askPin.showModal();
}

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  const isPin = askPin?.contains(form);
  if (!isPin && (mayChange || !askPin)) return;
  event.preventDefault();
  if (!isPin) return withPin(() => form.requestSubmit(event.submitter));
  const why = form.querySelector(".alert");
  try {
    const answer = await fetch("/pin", { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    trust(page);
    if (mayChange) {
      askPin.close();
      waiting();
    }
    why.textContent = page.getElementById("why")?.textContent ?? "";
  } catch {
    why.textContent = document.getElementById("gone").textContent;
  }
  why.hidden = mayChange;
});

// A photo is sent as it is, without a form round it.

async function send(file) {
  const form = document.getElementById("upload");
  const alert = form.querySelector(".alert");
  alert.hidden = true;
  let said = file.size > Number(form.dataset.most) ? form.dataset.tooBig : "";
  if (!said) {
    try {
      const headers = { "Content-Type": file.type, "X-Form-Token": document.body.dataset.formToken };
      const answer = await fetch("/photo", { method: "POST", body: file, headers });
      if (answer.redirected && new URL(answer.url).pathname === "/pin") {
        mayChange = false; // the scanner has forgotten this phone
        return withPin(() => send(file));
      }
      if (answer.ok) return refresh();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      said = page.querySelector("[data-said]")?.textContent ?? form.dataset.failed;
    } catch {
      said = form.dataset.failed;
    }
  }
  alert.textContent = said;
  alert.hidden = false;
}

if (upload) {
  addEventListener("change", (event) => {
    const [file] = event.target.id === "file" ? event.target.files : [];
    if (file) withPin(() => send(file));
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      document.getElementById("upload").classList.toggle("over", kind === "dragover");
      const [file] = kind === "drop" ? event.dataTransfer.files : [];
      if (file) withPin(() => send(file));
    });
  }
}
