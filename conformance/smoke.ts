/**
 * The behaviours that a second opinion runs: a few of each kind, none of which needs its own server, or two requests to
 * reach the same process.
 */
export const smoke: readonly string[] = [
  'runs the file hello+api.ts for /hello',
  'prefers a static segment to a parameter',
  'decodes a parameter',
  'answers 404 in plain text when no route matches',
  'lists every exported method in Allow',
  'sends several cookies as several header lines',
  'adds cookies to a StatusError',
  'keeps every value of a repeated header',
  'parses a JSON body with request.json()',
  'gives an octet stream byte for byte',
  'gives the fields and files of a multipart form',
  'answers a StatusError with its status and a JSON body',
  'answers with a thrown Response as it is',
  'runs the middleware before the route',
  'sends a stream that passed through a transform',
  'serves a file of public/',
];

/** A pattern that the names of these behaviours match and no others. */
export function smokePattern(): string {
  return `^(?:${smoke.map((name) => RegExp.escape(name)).join('|')})$`;
}
