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
  tellTime(page.body);
}

// A scanner without network and without a clock of its own takes the time of the phone.

function tellTime(body) {
  if (!mayChange || !("wantsTime" in body.dataset)) return;
  const told = { form_token: document.body.dataset.formToken, now_ms: Date.now() };
  fetch("/clock", { method: "POST", body: new URLSearchParams(told) }).catch(() => {}); // the next page tells it
}

tellTime(document.body);

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
const { every } = document.body.dataset; // what grows old by itself, such as games of the last hours
if (every) setInterval(refresh, every * 1000);
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
  if (form.method !== "post" || form.id === "upload") return;
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

// A photo is sent as it is, without a form round it, and its progress is shown.

function post(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not tell how much was sent
    request.open("POST", "/photo");
    request.setRequestHeader("Content-Type", file.type);
    request.setRequestHeader("X-Form-Token", document.body.dataset.formToken);
    request.upload.onprogress = (event) => { progress.value = event.loaded / event.total; };
    request.onload = () => resolve(request);
    request.onerror = reject;
    request.send(file);
  });
}

async function send(file, isAlone = true) {
  const form = document.getElementById("upload");
  const alert = form.querySelector("[role=alert]");
  const progress = form.querySelector("progress");
  alert.hidden = true;
  let said = file.size > Number(form.dataset.most) ? form.dataset.tooBig : "";
  if (!said) {
    progress.value = 0;
    progress.hidden = false;
    try {
      const answer = await post(file, progress);
      if (new URL(answer.responseURL).pathname === "/pin") {
        mayChange = false; // the scanner has forgotten this phone
        return withPin(() => send(file, isAlone));
      }
      if (answer.status < 400) {
        if (location.pathname === "/") await refresh(); else location.assign("/");
        said = isAlone ? "" : form.dataset.one;
      } else {
        const page = new DOMParser().parseFromString(answer.responseText, "text/html");
        said = page.querySelector("[data-said]")?.textContent ?? form.dataset.failed;
      }
    } catch {
      said = form.dataset.failed;
    } finally {
      progress.hidden = true;
    }
  }
  alert.textContent = said;
  alert.hidden = !said;
}

if (upload) {
  addEventListener("change", (event) => {
    if (event.target.form?.id !== "upload") return;
    const [file] = event.target.files;
    if (file) withPin(() => send(file));
    event.target.value = ""; // the same photo may be chosen again
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      document.getElementById("upload").classList.toggle("over", kind === "dragover");
      const files = kind === "drop" ? event.dataTransfer.files : [];
      if (files.length) withPin(() => send(files[0], files.length === 1));
    });
  }
}

// The picture goes into the phone's own share sheet, where there is one.

addEventListener("click", async (event) => {
  const link = event.target.closest("#share");
  if (!link || !navigator.canShare) return;
  event.preventDefault();
  try {
    const answer = await fetch(link.href);
    const file = new File([await answer.blob()], "stadtblick.jpg", { type: "image/jpeg" });
    if (navigator.canShare({ files: [file] })) await navigator.share({ files: [file] });
    else location.assign(link.href);
  } catch (error) {
    if (error.name !== "AbortError") location.assign(link.href);
  }
});

// A chip of the standings opens its city.

addEventListener("hashchange", () => {
  const city = document.getElementById(location.hash.slice(1));
  if (city?.matches("details")) city.open = true;
});
