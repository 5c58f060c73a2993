import { useEffect } from 'react';

const SHOWN_MS = 2000;

/** Lets the buttons that stand with code copy it, also in HTML that a loader has rendered. */
export function useCopyButtons(): void {
  useEffect(() => {
    document.addEventListener('click', copy);
    return () => document.removeEventListener('click', copy);
  }, []);
}

async function copy({ target }: MouseEvent): Promise<void> {
  const button = target instanceof Element ? target.closest('button.copy') : null;
  if (!button) return;
  const code = button.parentElement?.querySelector('pre')?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(code.trimEnd());
    button.textContent = 'Copied';
  } catch {
    // The browser does not let us: not over plain HTTP, for example.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}
