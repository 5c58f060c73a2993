import { useEffect } from 'react';

/** How long a reason stays open after the pointer leaves, so that the pointer can reach it, in milliseconds. */
const LEAVE_MS = 150;

/**
 * Opens the reason for a gap also when the pointer is over its button, and when the button gets the keyboard focus.
 * Escape closes it.
 */
export function useOpenReasons(): void {
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let leaving: ReturnType<typeof setTimeout> | undefined;
    let hovered: HTMLElement | undefined;
    const isWithin = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest('.reason');

    document.addEventListener(
      'pointerover',
      ({ target, pointerType }) => {
        const button = findButton(target);
        // A tap triggers a click.
        if (pointerType === 'touch') return;
        clearTimeout(leaving);
        if (button) hovered = open(button);
        else if (hovered && !isWithin(target)) leaving = setTimeout(() => hovered?.hidePopover(), LEAVE_MS);
      },
      { signal },
    );
    document.addEventListener(
      'click',
      ({ target }) => {
        const button = findButton(target);
        if (!button) return;
        open(button);
        // The reason stays open until the next click elsewhere.
        hovered = undefined;
      },
      { signal },
    );
    document.addEventListener(
      'focusin',
      ({ target, relatedTarget }) => {
        const button = findButton(target);
        // Escape within a reason returns the focus to its button.
        if (button?.matches(':focus-visible') && !isWithin(relatedTarget)) {
          open(button);
          hovered = undefined;
        } else if (!button && !isWithin(target))
          document.querySelector<HTMLElement>('.reason:popover-open')?.hidePopover();
      },
      { signal },
    );
    return () => {
      clearTimeout(leaving);
      ending.abort();
    };
  }, []);
}

function findButton(target: EventTarget | null): HTMLButtonElement | undefined {
  return (target instanceof Element && target.closest<HTMLButtonElement>('button[popovertarget]')) || undefined;
}

/** Opens a reason next to its button, and closes any other. */
function open(button: HTMLButtonElement): HTMLElement | undefined {
  const reason = button.popoverTargetElement;
  if (!(reason instanceof HTMLElement)) return undefined;
  // Many buttons share a reason, which stays where the first button has opened it.
  if (reason.matches(':popover-open')) reason.hidePopover();
  reason.showPopover({ source: button });
  return reason;
}
