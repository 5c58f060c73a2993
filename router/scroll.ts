import type { Arrival, Place } from './shown.ts';

/** The scroll position of each history entry: of this document, and of earlier ones in this tab. */
const STORE = 'appkit:scroll';

type Position = [x: number, y: number];

/** The position at the last scroll event. The browser may have scrolled since then. */
let told: Position = [0, 0];

/** Saves the scroll position of the entry. */
export function keepScroll(key: string): void {
  keepPosition(key, findPosition());
}

/**
 * Saves the scroll position of an entry that the visitor has left for another one of the same page, to which Firefox
 * and Safari have scrolled already.
 */
export function keepScrollWithin(key: string): void {
  keepPosition(key, told);
}

/** Scrolls to the entry's last position, or to the part of the page that its URL names, or to the top. */
export function restoreScroll({ key, hash }: Place, arrival: Arrival): void {
  const position = arrival === 'pop' ? readPositions()[key] : undefined;
  if (position) return scrollTo(...position);
  const named = hash === '' ? null : findNamed(hash);
  if (named) named.scrollIntoView();
  else scrollTo(0, 0);
}

/** The element that a fragment names. */
export function findNamed(hash: string): HTMLElement | null {
  return document.getElementById(decodeFragment(hash.slice(1)));
}

/**
 * Takes scrolling over from the browser, which would scroll before the next page is shown. The browser scrolls a newly
 * loaded document.
 */
export function takeOverScrolling(): void {
  history.scrollRestoration = 'manual';
  told = findPosition();
  addEventListener('scroll', () => (told = findPosition()), { passive: true });
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));
  addEventListener('pageshow', () => (history.scrollRestoration = 'manual'));
}

function keepPosition(key: string, position: Position): void {
  try {
    sessionStorage.setItem(STORE, JSON.stringify({ ...readPositions(), [key]: position }));
  } catch {
    // Full, or blocked by the user: the next page starts at its top.
  }
}

function findPosition(): Position {
  return [scrollX, scrollY];
}

function readPositions(): Record<string, Position> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '{}') as Record<string, Position>; // written above
  } catch {
    return {};
  }
}

/** URL Standard: invalid UTF-8 is left unchanged. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
