import { codedError } from './coded-error.ts';
import type { AuthSessionOpenOptions } from './options.ts';

/**
 * Asserts that a URL is a page. Another scheme would run as a script in the app's page, or start another app.
 *
 * @throws Error with code `ERR_WEB_BROWSER_OPEN`.
 */
export function assertPage(url: string): void {
  if (/^https?:\/\//i.test(url)) return;
  const scheme = /^\s*[a-z][\w+.-]*:/i.exec(url)?.[0].trim() ?? 'one without a scheme';
  throw codedError('ERR_WEB_BROWSER_OPEN', `Only http and https pages are opened in a browser, not ${scheme}`);
}

/**
 * Checks the options of a session.
 *
 * @throws TypeError with code `ERR_WEB_BROWSER_ARGUMENT`.
 */
export function assertOptions({ state, timeoutMs }: AuthSessionOpenOptions): void {
  if (state === '')
    throw wrong('state is empty, so nothing tells the answer from a forged one. Leave it out or fill it in.');
  if (timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs < 2 ** 31)) return;
  throw wrong(
    `timeoutMs is ${String(timeoutMs)}, but must be a number from 1 to 2147483647. Leave it out for no limit.`,
  );
}

function wrong(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'ERR_WEB_BROWSER_ARGUMENT' });
}
