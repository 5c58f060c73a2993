/** What an adapter with a Request class of its own does faster than the platform can. Each gives `undefined` for any other Request. */
export interface QuickRequests {
  /** The value of a header, whose name is in lower case, without making a `Headers` of all. `null` if there is none. */
  header(request: Request, name: string): string | null | undefined;
  /** The request as middleware sees it. */
  view(request: Request): Request | undefined;
}

let quick: QuickRequests | undefined;

/** Offers what a Request class can do. A program has one such class. */
export function offerQuickRequests(offered: QuickRequests): void {
  quick = offered;
}

/** The value of a header, without a `Headers` where that is possible. */
export function quickHeader(request: Request, name: string): string | null | undefined {
  return quick?.header(request, name);
}

/** The request as middleware sees it, without a native one where that is possible. */
export function quickView(request: Request): Request | undefined {
  return quick?.view(request);
}
