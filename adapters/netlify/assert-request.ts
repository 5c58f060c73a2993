/**
 * Checks that a function was called in the current form, with a Request.
 *
 * @throws TypeError when it was called with an event, like the export `handler`.
 */
export function assertRequest(value: unknown): asserts value is Request {
  if (Object.prototype.toString.call(value) === '[object Request]') return;
  throw new TypeError(
    'The Netlify Function was called with an event instead of a Request, as the older export `handler` is. Export it as the ' +
      'default: `export default createRequestHandler(…)`, and remove `export const handler`.',
  );
}
