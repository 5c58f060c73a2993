/** Whether a Response has a body, without creating its stream. `false` also means that this is unknown. */
export type HasBody = (response: Response) => boolean;

let hasBody: HasBody | undefined;

/** Registers the check of an adapter's Response class. A program has one such class. */
export function offerHasBody(offered: HasBody): void {
  hasBody = offered;
}

/** Whether a Response is known to have a body. A route cannot return such a Response twice. */
export function surelyHasBody(response: Response): boolean {
  return hasBody?.(response) ?? false;
}
