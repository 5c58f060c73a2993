/** Thrown by a behaviour that means nothing for the server. */
export class NotApplicable extends Error {
  override name = 'NotApplicable';
}
