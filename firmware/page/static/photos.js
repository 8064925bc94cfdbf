"use strict";

// Cities are put in order by dragging, or by their arrows, which are links without a script.

function moveCity(card, before) {
  const list = card.parentElement;
  list.insertBefore(card, before);
  list.classList.add("moved"); // so that it stays as it is until it is sent
  const cards = [...list.children];
  cards.forEach((each, at) => { each.querySelector(".place").textContent = at + 1; });
  list.closest("form").elements.order.value = cards.map((each) => each.dataset.city).join(",");
  const n = cards.indexOf(card) + 1;
  const values = { letter: card.dataset.letter, n, count: list.children.length };
  document.getElementById("moved").textContent = fillIn(list.dataset.moved, values);
}

addEventListener("click", (event) => {
  const arrow = event.target.closest(".order .up, .order .down");
  if (!arrow) return;
  event.preventDefault();
  const card = arrow.closest("li");
  const { firstElementChild, lastElementChild } = card.parentElement;
  const isUp = arrow.matches(".up");
  const next = card.nextElementSibling?.nextElementSibling ?? null;
  const down = card === lastElementChild ? firstElementChild : next;
  moveCity(card, isUp ? card.previousElementSibling : down);
  arrow.focus();
});

addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".order .grip");
  if (!grip) return;
  event.preventDefault();
  const card = grip.closest("li");
  card.classList.add("dragged");
  const follow = ({ clientX, clientY }) => {
    const over = document.elementFromPoint(clientX, clientY)?.closest(".order li");
    if (!over || over === card) return;
    const isAbove = card.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_PRECEDING;
    moveCity(card, isAbove ? over : over.nextElementSibling);
  };
  const end = () => {
    card.classList.remove("dragged");
    removeEventListener("pointermove", follow);
  };
  addEventListener("pointermove", follow); // a card that moves in the page holds no pointer
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end, { once: true });
});
