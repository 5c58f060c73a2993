import { findNamed, restoreScroll } from './scroll.ts';
import type { Shown } from './shown.ts';

let announcer: HTMLElement | undefined;

/**
 * Does for an existing page what the browser does for a document: scrolls, moves the focus to the top and announces the
 * title.
 */
export function arrive({ place, arrival, isSamePath, isForm }: Shown): void {
  if (arrival === undefined || arrival === 'refresh') return;
  // A visitor whose typing changes the query, or whose form leads back to its page, stays in place.
  if (isSamePath && (isForm || arrival === 'replace') && place.hash === '') return;
  restoreScroll(place, arrival);
  // Between the parts of a page the browser moves the focus; a visitor who types keeps it.
  if (isSamePath && arrival !== 'push') return;
  moveFocus(place.hash);
  announce(document.title || document.querySelector('h1')?.textContent || place.pathname);
}

/**
 * HTML Standard, 7.4.6.4: to the part that the fragment names, otherwise to the element with autofocus, otherwise to
 * the top of the document.
 */
function moveFocus(hash: string): void {
  const named = hash === '' ? null : findNamed(hash);
  focus(named ?? document.querySelector<HTMLElement>('[autofocus]') ?? document.body);
}

/** Moves the focus to an element, even to one that is not focusable by itself. */
function focus(element: HTMLElement): void {
  const before = element.getAttribute('tabindex');
  if (before === null && element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (before === null) element.removeAttribute('tabindex');
}

/** Makes screen readers announce it. */
function announce(text: string): void {
  announcer ??= createAnnouncer();
  if (!announcer.isConnected) document.body.append(announcer);
  announcer.textContent = text;
}

function createAnnouncer(): HTMLElement {
  const element = document.createElement('div');
  element.id = 'appkit-announcer';
  element.setAttribute('aria-live', 'assertive');
  element.setAttribute('aria-atomic', 'true');
  // Invisible. A Content-Security-Policy restricts the style attribute, but not this property.
  Object.assign(element.style, {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  });
  return element;
}
