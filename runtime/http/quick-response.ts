/** Whether a Response has a body, without creating its stream. `false` also means that this is unknown. */
export type HasBody = (response: Response) => boolean;

/**
 * Whether app code may have taken the stream of a Response's body. `false` where looking at the body would create a
 * stream for a body in memory, which some platforms then send without its length or type.
 */
export type MayBeTaken = (response: Response) => boolean;

let hasBody: HasBody | undefined;
let mayBeTaken: MayBeTaken | undefined;

/** Registers the check of an adapter's Response class. A program has one such class. */
export function offerHasBody(offered: HasBody): void {
  hasBody = offered;
}

/** Whether a Response is known to have a body. A route cannot return such a Response twice. */
export function surelyHasBody(response: Response): boolean {
  return hasBody?.(response) ?? false;
}

/** Registers which Responses of an adapter's platform have a body that is worth a look. Default: none. */
export function offerMayBeTaken(offered: MayBeTaken): void {
  mayBeTaken = offered;
}

/** Whether other code holds the body of a Response, such as a reader or a pipe, so that nobody can send it. */
export function isTaken(response: Response): boolean {
  return response.bodyUsed || streamOf(response)?.locked === true;
}

/** The stream of a Response's body, if looking at it does not create one for a body in memory: see {@link MayBeTaken}. */
export function streamOf(response: Response): ReadableStream | null | undefined {
  return mayBeTaken?.(response) ? response.body : undefined;
}
