import { cancelBody } from '../http/cancel-unread.ts';
import { isForPages } from '../routing/targets.ts';
import type { ErrorReporter } from './error-report.ts';
import type { HandlerContext } from './handler-context.ts';
import { headerReadsOf } from './header-reads.ts';
import { isPromise } from './is-promise.ts';
import { internalServerError, toAnswer, toFailureAnswer } from './settle.ts';
import { trackHeaderReads } from './track-headers.ts';

/** Answers the requests of an app. */
export interface Responder {
  /** Returns the app code's result, or a promise of it. Throws whatever that code throws. */
  answer(context: HandlerContext): unknown;
  /** Converts an answer to the form that the client has requested. Default: it is not changed. */
  toAsked?: ((context: HandlerContext, response: Response) => Response) | undefined;
  /** Whether some answers may be kept for other visitors. */
  keepsAnswers: boolean;
  report: ErrorReporter;
}

/** Answers a request. It never throws, and its promise never rejects. */
// Enter the async context only for app code that may use it: entering takes longer than everything else between adapter and route.
// No async functions: a synchronous answer is sent at once, and a route's promise is awaited only once.
export function respond(app: Responder, context: HandlerContext): Response | Promise<Response> {
  let answered: unknown;
  try {
    if (app.keepsAnswers && isForPages(context.request.method)) {
      // An app may have passed its own request on to this one: what it answers depends on the reads of both.
      context.reads = headerReadsOf(context.request) ?? trackHeaderReads(context.request);
    }
    answered = app.answer(context);
  } catch (thrown) {
    return finishThrown(app, context, thrown);
  }
  if (!isPromise(answered)) return finishReturned(app, context, answered);
  return answered.then(
    (returned) => finishReturned(app, context, returned),
    (thrown) => finishThrown(app, context, thrown),
  );
}

function finishReturned(app: Responder, context: HandlerContext, returned: unknown): Response {
  let response: Response;
  try {
    response = toAnswer(context, returned);
  } catch (error) {
    return finishThrown(app, context, error);
  }
  return finish(app, context, response);
}

function finishThrown(app: Responder, context: HandlerContext, thrown: unknown): Response {
  return finish(app, context, toFailureAnswer(context, thrown));
}

function finish(app: Responder, context: HandlerContext, response: Response): Response {
  try {
    const finished = context.finish(app.toAsked ? app.toAsked(context, response) : response);
    if (!context.hasFailed) context.startDeferred();
    return finished;
  } catch (error) {
    const given = context.run(app.report, error, context.request);
    cancelBody(response);
    return context.finishInstead(given ?? internalServerError());
  }
}
