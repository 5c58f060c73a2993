import { useEffect } from 'react';

const SHOWN_MS = 2000;

/** Makes the buttons next to code copy it, even in HTML that a loader has rendered. */
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
    // The browser does not allow it, for example over plain HTTP.
    button.textContent = 'Not allowed';
  }
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}
