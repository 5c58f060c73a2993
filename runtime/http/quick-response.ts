/** Tells whether a Response has a body, without making a stream of it. `false` also means that this is not known. */
export type HasBody = (response: Response) => boolean;

let hasBody: HasBody | undefined;

/** Offers what a Response class of an adapter can tell. A program has one such class. */
export function offerHasBody(offered: HasBody): void {
  hasBody = offered;
}

/** Whether it is known that a Response has a body. No route can return such a one twice. */
export function surelyHasBody(response: Response): boolean {
  return hasBody?.(response) ?? false;
}
