import { useEffect } from 'react';

/** How long a reason stays when the pointer leaves, so that it can be reached. */
const LEAVE_MS = 150;

/** Opens the reason of a gap also when the pointer is over its button, and when the keyboard comes to it. Escape closes it. */
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
        // A tap is a click.
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
        // It stays until the next click elsewhere.
        hovered = undefined;
      },
      { signal },
    );
    document.addEventListener(
      'focusin',
      ({ target, relatedTarget }) => {
        const button = findButton(target);
        // Escape within a reason gives the focus back to its button.
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

/** Opens the reason next to its button. It closes any other. */
function open(button: HTMLButtonElement): HTMLElement | undefined {
  const reason = button.popoverTargetElement;
  if (!(reason instanceof HTMLElement)) return undefined;
  // Many buttons share a reason, which stays where the first one has opened it.
  if (reason.matches(':popover-open')) reason.hidePopover();
  reason.showPopover({ source: button });
  return reason;
}
