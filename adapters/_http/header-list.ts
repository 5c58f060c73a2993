/** Header fields in the form of Node's `rawHeaders`: names and values alternate. Needs no object per field. */
export type HeaderList = readonly string[];

/** A value that Headers returns unchanged. */
export const PLAIN_VALUE: RegExp = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;

/** The headers as a list. The names of a Headers object are in lower case. */
export function toHeaderList(headers: HeaderList | Headers): HeaderList {
  return isList(headers) ? headers : [...headers].flat();
}

/** The headers as pairs, for code where an array per field is cheap enough. */
export function toHeaderPairs(headers: HeaderList | Headers): [name: string, value: string][] {
  if (!isList(headers)) return [...headers];
  const pairs: [name: string, value: string][] = [];
  for (let index = 0; index < headers.length; index += 2) {
    pairs.push([headers[index] as string, headers[index + 1] as string]);
  }
  return pairs;
}

/** The value of a field in a list with each name once and in lower case. */
export function valueOf(list: HeaderList, name: string): string | undefined {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return list[index + 1];
  return undefined;
}

/** The value of a field in a received list: names in any case, several field lines joined as Headers joins them. */
export function joinedValueOf(list: HeaderList, name: string): string | undefined {
  // Cookie crumbs are joined by a semicolon, all others as a list: RFC 9113 section 8.2.3.
  const separator = name === 'cookie' ? '; ' : ', ';
  let value: string | undefined;
  for (let index = 0; index < list.length; index += 2) {
    const one = list[index] as string;
    if (one.length !== name.length || one.toLowerCase() !== name) continue;
    value = value === undefined ? (list[index + 1] as string) : `${value}${separator}${list[index + 1]}`;
  }
  return value;
}

/** The Headers of a list, with cookie crumbs joined and without the pseudo-headers of HTTP/2. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index] as string;
    const value = list[index + 1] as string;
    // HTTP/2 pseudo-headers are not headers: RFC 9113 section 8.3.
    if (name.startsWith(':')) continue;
    // Cookie crumbs are joined by a semicolon, all others as a list: RFC 9113 section 8.2.3.
    const crumbs = name.length === 6 && name.toLowerCase() === 'cookie' ? headers.get('cookie') : null;
    if (crumbs === null) headers.append(name, value);
    else headers.set('cookie', `${crumbs}; ${value}`);
  }
  return headers;
}

function isList(headers: HeaderList | Headers): headers is HeaderList {
  return Array.isArray(headers);
}
