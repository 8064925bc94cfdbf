"use strict";

// Follows what changes: the server says that something has, and the parts marked "data-live" are taken
// from the page loaded once more. Everything else works without this script.

const gone = document.getElementById("gone");
const upload = document.getElementById("upload");
let pageVersion = document.body.dataset.pageVersion;
let isLoading = false;
const BUSY = 503;
const RETRY_MS = 3000;
let retry = null;
let mayChange = "mayChange" in document.body.dataset;

function parseHtml(text) {
  return new DOMParser().parseFromString(text, "text/html");
}

function isBeingFilled(part) {
  if (askPin?.open) return true;
  const active = document.activeElement;
  const files = [...part.querySelectorAll("input[type=file]")].filter((each) => each.form?.id !== "upload");
  const hasPhoto = files.some((each) => each.files.length > 0); // chosen, and not sent yet
  if (part.querySelector(".moved, [type=radio]:checked:not([checked])")) return true;
  return hasPhoto || (part.contains(active) && active.matches("input:not([type=file]), select"));
}

function selectorOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["href", "value", "action"]) {
    const value = element.getAttribute(name);
    if (value !== null) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
  }
  return element.localName;
}

function replacePart(part, fresh) {
  if (part.innerHTML === fresh.innerHTML || isBeingFilled(part)) return;
  const focused = part.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
  const open = [...part.querySelectorAll("details")].map((each) => each.open);
  part.replaceChildren(...fresh.childNodes);
  part.querySelectorAll("details").forEach((each, n) => { each.open = Boolean(open[n]); });
  if (focused) part.querySelector(focused)?.focus({ preventScroll: true });
}

// A result of several photos has a style and a script more than others.

function takeFiles(page) {
  for (const each of page.head.querySelectorAll("link[rel=stylesheet], script[src]")) {
    const name = each.src ? "src" : "href";
    const address = each.getAttribute(name);
    if (document.querySelector(`[${name}="${address}"]`)) continue;
    const file = document.createElement(each.localName);
    if (each.rel) file.rel = each.rel;
    file.setAttribute(name, address);
    document.head.append(file);
  }
}

// Forms that stay as they are can still be sent, once the PIN was given here or in another tab.

function takeTrustFrom(page) {
  const token = page.body.dataset.formToken;
  if (!token) return;
  mayChange = "mayChange" in page.body.dataset;
  document.body.dataset.formToken = token;
  document.querySelectorAll("input[name=form_token]").forEach((each) => { each.value = token; });
  sendTime(page.body);
}

// A scanner without network and without a clock of its own takes the time of the phone.

function sendTime(body) {
  if (!mayChange || !("wantsTime" in body.dataset)) return;
  const form = { form_token: document.body.dataset.formToken, now_ms: Date.now() };
  fetch("/clock", { method: "POST", body: new URLSearchParams(form) }).catch(() => {}); // the next page sends it
}

sendTime(document.body);

function retryLater() {
  clearTimeout(retry);
  retry = setTimeout(refresh, RETRY_MS);
}

async function refresh() {
  if (isLoading) return;
  isLoading = true;
  const seen = pageVersion;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = parseHtml(await answer.text());
    if (answer.status === BUSY) return retryLater(); // amid a long job
    if (!answer.ok) location.assign("/"); // what it was about has gone
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh) replacePart(part, fresh);
    }
    takeFiles(page);
    document.title = page.title;
    takeTrustFrom(page);
  } catch {
    setOffline(true);
    return retryLater();
  } finally {
    isLoading = false;
  }
  if (pageVersion !== seen) refresh();
}

// A browser tries a lost connection again by itself, but not one that was refused.

let source = null;
let heardAt = new Date();

// Without the scanner nothing can be sent: what would send is out of reach, and the page says why.

function setOffline(isOffline) {
  if (!isOffline) heardAt = new Date();
  const since = gone.dataset.since;
  const time = heardAt.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  if (isOffline && since) gone.querySelector("b").textContent = fillIn(since, { time });
  gone.hidden = !isOffline;
  document.querySelectorAll(".dock, main form").forEach((each) => { each.inert = isOffline; });
}

function listen() {
  source = new EventSource("/events");
  source.onmessage = (event) => {
    setOffline(false);
    if (event.data === pageVersion) return;
    pageVersion = event.data;
    refresh();
  };
  source.onerror = () => {
    setOffline(true);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
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
    const page = parseHtml(await answer.text());
    takeTrustFrom(page);
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

// A photo of a wizard is used at once.

addEventListener("change", (event) => {
  const form = event.target.closest("form[data-at-once]");
  if (form && event.target.files?.length) form.requestSubmit();
});

// Photos are sent as they are, without a form round them; of several, each once the one before was read.

function post(file, path, progress, sent, count) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not report how much was sent
    request.open("POST", path);
    request.setRequestHeader("Content-Type", file.type);
    request.setRequestHeader("X-Form-Token", document.body.dataset.formToken);
    request.upload.onprogress = (event) => { progress.value = (sent + event.loaded / event.total) / count; };
    request.onload = () => resolve(request);
    request.onerror = reject;
    request.send(file);
  });
}

async function untilFree() {
  for (;;) {
    const answer = await fetch("/api/v1/status");
    if ((await answer.json()).is_free) return;
    await new Promise((resolve) => { setTimeout(resolve, 500); });
  }
}

function fillIn(text, values) {
  return Object.entries(values).reduce((result, [name, value]) => result.replace(`{${name}}`, value), text);
}

// Several photos: "sent" of the series have been sent before, "adds" is the game that they are added to.

async function send(files, { series, sent = 0, count, adds, room } = {}) {
  const form = document.getElementById("upload");
  const [alert, sending, progress] = ["[role=alert]", "#sending", "progress"].map((each) => form.querySelector(each));
  const words = form.dataset;
  const all = Math.max(Number(count ?? 0), Number(sent) + files.length);
  const withNumber = (n, text) => (all > 1 ? fillIn(words.photo, { n, count: all, stage: text }) : text);
  const show = (text) => { alert.textContent = text; alert.hidden = !text; };
  show("");
  if (files.length > Number(room ?? Infinity)) return show(fillIn(words.room, { n: room }));
  if (all > Number(words.mostPhotos)) return show(words.tooMany);
  const large = files.findIndex((each) => each.size > Number(words.most));
  if (large >= 0) return show(withNumber(Number(sent) + large + 1, words.tooBig));
  const key = series ?? crypto.getRandomValues(new Uint32Array(2)).join("");
  const isAlone = all === 1 && !adds;
  progress.value = Number(sent) / all;
  progress.hidden = false;
  for (let n = Number(sent) + 1; n <= Number(sent) + files.length; n += 1) {
    let problem = "";
    try {
      if (n > 1) await untilFree();
      sending.textContent = withNumber(n, words.sending);
      sending.hidden = all === 1;
      const of = `/photo?series=${key}&number=${n}&of=${all}${adds ? `&adds=${adds}` : ""}`;
      const photo = [files[n - Number(sent) - 1], isAlone ? "/photo" : of, progress, n - 1, all];
      let answer = await post(...photo);
      if (answer.status === 403) { // the answer has the new token of a restarted scanner
        takeTrustFrom(parseHtml(answer.responseText));
        answer = await post(...photo);
      }
      if (new URL(answer.responseURL).pathname === "/pin") {
        mayChange = false; // the scanner has forgotten this phone
        progress.hidden = sending.hidden = true;
        const rest = files.slice(n - 1 - Number(sent));
        return withPin(() => send(rest, { series: key, sent: n - 1, count: all, adds }));
      }
      if (answer.status < 400) {
        if (location.pathname === "/") await refresh(); else if (n === all) location.assign("/");
      } else {
        const page = parseHtml(answer.responseText);
        problem = page.querySelector("[data-message]")?.textContent ?? words.failed;
      }
    } catch {
      problem = words.failed;
    }
    if (problem) {
      show(withNumber(n, problem));
      break;
    }
  }
  progress.hidden = sending.hidden = true;
}

if (upload) {
  addEventListener("change", (event) => {
    const input = event.target;
    if (input.form?.id !== "upload") return;
    const files = [...input.files];
    if (files.length) withPin(() => send(files, input.dataset));
    input.value = ""; // the same photo may be chosen again
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.getElementById("upload").classList.toggle("over", kind === "dragover");
      const files = kind === "drop" ? [...event.dataTransfer.files] : [];
      if (files.length) withPin(() => send(files));
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
