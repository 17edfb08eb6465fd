// @ts-check
// Cards flying out of the launcher to a seat: 60 ms apart, at most 1.2 s in all, and not at all with reduced motion.

const APART = 60;
const LONGEST = 1200;
const FLIGHT = 420;

/** @param {Element | null} from @param {Element | null} to @param {number} cards */
export function burst(from, to, cards) {
  if (!from || !to || cards < 1 || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const start = middle(from);
  const end = middle(to);
  const apart = Math.min(APART, (LONGEST - FLIGHT) / Math.max(1, cards - 1));
  for (let i = 0; i < Math.min(cards, 30); i++) {
    const card = document.createElement("i");
    card.className = "flying";
    document.body.append(card);
    const turn = (i * 137) % 360;
    const flight = card.animate([
      { transform: `translate(${start.x}px, ${start.y}px) rotate(0deg) scale(.5)`, opacity: 0 },
      { opacity: 1, offset: 0.15 },
      { transform: `translate(${end.x}px, ${end.y}px) rotate(${turn}deg) scale(1)`, opacity: 1, offset: 0.9 },
      { transform: `translate(${end.x}px, ${end.y}px) rotate(${turn}deg) scale(.9)`, opacity: 0 },
    ], { duration: FLIGHT, delay: i * apart, easing: "cubic-bezier(.2,.7,.3,1)", fill: "both" });
    flight.onfinish = flight.oncancel = () => card.remove();
  }
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
