/** The error that this package's `fetch` throws for a URL that it refuses. */
interface UrlError extends TypeError {
  code: 'ERR_URL_INVALID' | 'ERR_ORIGIN_MISSING';
}

/** Makes an error with a stable code. */
export function toUrlError(code: UrlError['code'], message: string): UrlError {
  return Object.assign(new TypeError(message), { code });
}

/**
 * Reads the argument of `fetch` as a URL parser does: without the white space that it ignores.
 *
 * @throws TypeError with the code `ERR_URL_INVALID` for a URL that looks like a path but leads to another host, as
 * `//host` and `/\host` do.
 */
export function readReference(reference: string): string {
  // URL Standard, 4.4: leading and trailing controls and spaces go, tabs and line breaks everywhere.
  const read = reference.replaceAll(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, '');
  if (/^[\\/]{2}/.test(read)) {
    const message = `fetch was called with ${JSON.stringify(reference)}, which looks like a path but leads to another host.`;
    throw toUrlError('ERR_URL_INVALID', `${message} Write one slash, or the whole URL with https:.`);
  }
  return read;
}
