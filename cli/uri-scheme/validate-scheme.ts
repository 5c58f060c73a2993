import { UriSchemeError } from './uri-scheme-error.ts';
import type { SchemeWarning } from './warning.ts';

/** RFC 3986, section 3.1. */
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;

const OF_THE_SYSTEM = ['about', 'content', 'data', 'file', 'javascript'];

/**
 * Checks a scheme, and converts it to the form that is written to files.
 *
 * @returns the scheme in lower case, as RFC 3986, section 3.1, asks of producers, with warnings about the choice.
 * Android would match no other form, because browsers pass links on in lower case.
 * @throws UriSchemeError when it is not a scheme, or one that an app cannot have.
 */
export function validateScheme(input: string): { scheme: string; warnings: SchemeWarning[] } {
  const scheme = input.toLowerCase();
  if (!SCHEME.test(scheme))
    throw new UriSchemeError('ERR_SCHEME_INVALID', whyInvalid(input), { fix: howToCorrect(input) });
  if (scheme === 'http' || scheme === 'https') {
    const fix =
      'For links of a website see Android App Links and iOS Universal Links. Choose a scheme of your own here.';
    throw new UriSchemeError('ERR_SCHEME_INVALID', `${scheme} is the scheme of websites.`, { fix });
  }
  if (OF_THE_SYSTEM.includes(scheme)) {
    const fix = 'Choose one of your own, such as com.example.app.';
    throw new UriSchemeError('ERR_SCHEME_INVALID', `The scheme ${scheme} belongs to the system.`, { fix });
  }
  const warnings: SchemeWarning[] = [];
  if (scheme !== input) {
    const message = `${input} is written as ${scheme}: a scheme is the same in any case (RFC 3986, section 3.1), and Android matches lower case only.`;
    warnings.push({ code: 'lower-cased', message });
  }
  if (!/^[^.]+(\.[^.]+)+$/.test(scheme)) {
    const message = `${scheme} is not a domain name in reverse, such as com.example.app: another app can take the same scheme, and with it the answer of a sign-in (RFC 8252, section 7.1).`;
    warnings.push({ code: 'not-reverse-domain', message });
  }
  return { scheme, warnings };
}

/**
 * Refuses a text that is not a URI.
 *
 * @throws UriSchemeError when it has no scheme, or contains a control character.
 */
export function assertUri(uri: string): void {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) {
    const fix = 'Start with the scheme, such as myapp://path.';
    throw new UriSchemeError('ERR_URI_INVALID', `${JSON.stringify(uri)} has no scheme.`, { fix });
  }
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\u0000-\u001F\u007F]/.test(uri)) {
    const message = `${JSON.stringify(uri)} contains a control character.`;
    throw new UriSchemeError('ERR_URI_INVALID', message, { fix: 'Percent-encode it.' });
  }
}

function whyInvalid(input: string): string {
  return input === '' ? 'The scheme is empty.' : `${JSON.stringify(input)} is not a URI scheme.`;
}

function howToCorrect(input: string): string {
  const bare = input.replace(/:.*$/s, '');
  return bare !== input && SCHEME.test(bare)
    ? `Leave out what follows the scheme: ${bare.toLowerCase()}`
    : 'A scheme is a letter, then letters, digits, "+", "-" and "." (RFC 3986, section 3.1), such as com.example.app.';
}
