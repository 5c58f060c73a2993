import { codedError } from './coded-error.ts';

/** The error of a page that cannot store anything: its storage is full, or the browser blocks it. */
export function storageError(cause: unknown): Error {
  return Object.assign(
    codedError(
      'ERR_WEB_BROWSER_STORAGE',
      `${location.origin} cannot use localStorage, in which the page at the redirect URL finds its session. It is full, or the browser blocks it for this site.`,
    ),
    { cause },
  );
}
