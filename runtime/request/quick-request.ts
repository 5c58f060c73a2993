/**
 * Functions that an adapter with its own Request class performs faster than the platform. Each returns `undefined` for
 * any other Request.
 */
export interface QuickRequests {
  /**
   * The value of a header, by its name in lower case, without creating a `Headers` object. `null` if the header is
   * missing.
   */
  header(request: Request, name: string): string | null | undefined;
  /** The request as middleware sees it. */
  view(request: Request): Request | undefined;
}

let quick: QuickRequests | undefined;

/** Registers the functions of a Request class. A program has one such class. */
export function offerQuickRequests(offered: QuickRequests): void {
  quick = offered;
}

/** The value of a header, if possible without a `Headers` object. */
export function quickHeader(request: Request, name: string): string | null | undefined {
  return quick?.header(request, name);
}

/** The request as middleware sees it, if possible without a native one. */
export function quickView(request: Request): Request | undefined {
  return quick?.view(request);
}
