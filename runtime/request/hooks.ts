import { aside } from './aside.ts';
import type { ErrorReporter } from './error-report.ts';
import type { HandlerContext } from './handler-context.ts';
import { isPromise } from './is-promise.ts';

/** A request that has arrived. */
export interface RequestEvent {
  /** The request. Only the route may read its body. */
  request: Request;
  /** The value of `requestId()`. */
  requestId: string;
}

/** A request that has been answered. */
export interface ResponseEvent extends RequestEvent {
  /** The sent status. */
  status: number;
  /** The pattern of the route or page that ran, such as `/users/[id]`; absent if none did. */
  route?: string | undefined;
  /**
   * How long the answer took, in milliseconds, from the handler's call to the headers. A stream may continue for
   * longer.
   */
  durationMs: number;
}

/** Hooks that an adapter calls for requests. An error of a hook goes to `onError` and does not affect the answer. */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
}

/** Answers a request, and calls the hooks. */
export function answerWithHooks(
  context: HandlerContext,
  answer: () => Response | Promise<Response>,
  { onRequest, onResponse, report }: Hooks & { report: ErrorReporter },
): Response | Promise<Response> {
  const startedAt = performance.now();
  const { request } = context;
  const event: RequestEvent = { request, requestId: context.requestId() };
  if (onRequest) context.run(tell<RequestEvent>, onRequest, event, report);
  const answered = answer();
  if (!onResponse) return answered;
  const tellOf = (response: Response): Response => {
    const durationMs = performance.now() - startedAt;
    const told = { ...event, status: response.status, route: context.route, durationMs };
    context.run(tell<ResponseEvent>, onResponse, told, report);
    return response;
  };
  return isPromise(answered) ? (answered as Promise<Response>).then(tellOf) : tellOf(answered as Response);
}

function tell<Event extends RequestEvent>(hook: (event: Event) => unknown, event: Event, report: ErrorReporter): void {
  const fail = (error: unknown): void => void report(error, event.request);
  try {
    const pending = aside(event.request, () => hook(event));
    if (isPromise(pending)) pending.then(undefined, fail);
  } catch (error) {
    fail(error);
  }
}
