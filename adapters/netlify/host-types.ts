/** What this adapter reads from the second argument of a Netlify Function. */
export interface NetlifyContext {
  /** Keeps the function running until the promise settles. */
  waitUntil?(promise: Promise<unknown>): void;
  /** The id that Netlify gives the request. */
  requestId?: string;
  /** The IP address of the client. */
  ip?: string;
  /** The deploy that the function belongs to. */
  deploy?: {
    /** `production`, `deploy-preview`, `branch-deploy` or `dev`. */
    context?: string;
  };
}
