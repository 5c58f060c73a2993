/**
 * Results that are not published for peers. A stranger could stop, fill or fool a server that fails one of these, so
 * its authors are told first. The entire row is withheld, for all peers alike: it must not reveal which of them fail.
 */
export const RISKY: readonly string[] = [
  // Failures that may stop the process.
  'answers after the route has cancelled the body',
  'answers the next request after a handler that gave no Response',
  'answers, and the next request too, before a body that is read by cancel',
  'answers on after a client that left while its body was read by cancel',
  // Bytes of one response or request that are read as part of another.
  'never sends more than the content-length says',
  'sends no header of a route that is for the connection',
  'sends no Content-Length with a 204',
  'answers 500 to a body where the status allows none',
  'answers 500 to a status that cannot end a request',
  'sends 204 without a body or a length',
  'sends 304 without a body but with its validators',
  'sends HTTP/1.0 nothing in chunks',
  'lets no header value break out of its line',
  'refuses Content-Length beside Transfer-Encoding or closes after the answer',
  'refuses a Content-Length that is no number',
  'refuses two Content-Length headers that differ',
  'refuses white space before the colon of a header',
  'reads the name of a transfer coding in any case',
  'gives a chunked body whole',
  'answers pipelined requests in their order',
  'answers the next request after a body nobody read',
  'answers the next request after a small body nobody read',
  'answers 400 to two Host headers',
  // A request that is read as one for another host or path, if something in front of the server decides by these.
  'answers 400 to a Host header with a path',
  'answers 400 to a Host header with user information',
  'answers 400 to a Host header that is no host',
  'keeps two slashes inside a path',
  'ignores forwarded headers by default',
  // Information that the server reveals about itself.
  'survives OPTIONS *',
  'answers 500 when a route throws',
  'answers 500 when a route rejects',
  'answers 500 when a route throws what is no Error',
  // Work or memory that a client can occupy forever.
  'asks a stream for no more than a slow client takes',
  'holds an upload back while nobody reads it',
  'cancels the stream and aborts the signal when the client leaves',
  'cancels a response that comes after the client has left',
  'cancels the stream of an answer to HEAD',
  'rejects the body when the client leaves in the middle of it',
  'aborts the signal when the client leaves before the response',
];

/** The names of the rows to withhold: those above, and each one that stopped a peer. */
export function withheld(results: readonly (readonly { name: string; lostServer?: boolean }[])[]): Set<string> {
  const stopped = results.flat().filter(({ lostServer }) => lostServer === true);
  return new Set([...RISKY, ...stopped.map(({ name }) => name)]);
}
