/** What a behaviour ends with that means nothing for the server. */
export class NotApplicable extends Error {
  override name = 'NotApplicable';
}
