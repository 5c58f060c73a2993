/** OpenTelemetry spans for the requests of an app. The app installs `@opentelemetry/api` and an SDK. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Span, TextMapGetter, Tracer } from '@opentelemetry/api';
import { setJobTracing } from './jobs/trace.ts';
import type { Next } from './modules/middleware.ts';
import { currentContext } from './request/context.ts';
import type { RequestContext } from './request/context.ts';

/** The options of {@link traceRequests}. */
export interface TraceOptions {
  /** Whether the header `Server-Timing` says how long the answer took, in milliseconds. Default: `false`. */
  serverTiming?: boolean;
}

/**
 * Creates the function that `app/+instrumentation.ts` exports as default: `export default traceRequests()`.
 *
 * Each request has a server span. It continues the trace that the client names, by the propagator of the SDK, and is active in middleware, routes,
 * pages, loaders and tasks, so that the spans of a database are below it. It ends when the head of the answer is known. Names and attributes are those of
 * the semantic conventions; the query, which may have secrets, is not among them. Each attempt at a job has a consumer
 * span, which continues the trace of the code that enqueued it.
 *
 * @see Semantic Conventions for HTTP Spans, "HTTP server"; W3C Trace Context, section 3.2; Server Timing, section 3
 */
export function traceRequests({ serverTiming = false }: TraceOptions = {}): (
  request: Request,
  next: Next,
) => Promise<Response> {
  const tracer = trace.getTracer('appkit-server');
  traceJobs(tracer);
  return (request, next) => {
    const startedAt = performance.now();
    const current = currentContext('traceRequests()');
    // The answer does not depend on them, so caches may keep it.
    const { parent, attributes } = current.peek((headers) => ({
      parent: propagation.extract(context.active(), headers, headersGetter),
      attributes: toAttributes(request, headers),
    }));
    const name = nameOf(request.method);
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    return context.with(trace.setSpan(parent, span), async () => {
      const response = await next();
      describeAnswer(span, { name, request, response, current });
      span.end();
      if (serverTiming) {
        response.headers.append('server-timing', `app;dur=${(performance.now() - startedAt).toFixed(1)}`);
      }
      return response;
    });
  };
}

/** Each attempt at a job is a span of the trace that enqueued it. */
function traceJobs(tracer: Tracer): void {
  setJobTracing({
    inject() {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return headers;
    },
    run({ name, id, attempt, trace: headers }, run) {
      const parent = propagation.extract(context.active(), headers);
      const attributes = {
        'messaging.system': 'appkit',
        'messaging.operation.type': 'process',
        'messaging.operation.name': 'process',
        'messaging.destination.name': name,
        'messaging.message.id': id,
        'appkit.job.attempt': attempt,
      };
      const span = tracer.startSpan(`process ${name}`, { kind: SpanKind.CONSUMER, attributes }, parent);
      return context.with(trace.setSpan(parent, span), async () => {
        try {
          return await run();
        } catch (error) {
          if (error instanceof Error) span.recordException(error);
          span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  });
}

const headersGetter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** The methods whose names may be in a span: clients can send arbitrarily long and arbitrarily many others. */
const METHODS = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'];

function nameOf(method: string): string {
  return METHODS.includes(method) ? method : 'HTTP';
}

function toAttributes({ method, url }: Request, headers: Headers): Attributes {
  const { protocol, hostname, port, pathname } = new URL(url);
  const agent = headers.get('user-agent');
  return {
    ...(METHODS.includes(method)
      ? { 'http.request.method': method }
      : { 'http.request.method': '_OTHER', 'http.request.method_original': method }),
    'url.scheme': protocol.slice(0, -1),
    'url.path': pathname,
    'server.address': hostname,
    ...(port === '' ? {} : { 'server.port': Number(port) }),
    ...(agent === null ? {} : { 'user_agent.original': agent }),
  };
}

function describeAnswer(
  span: Span,
  {
    name,
    request,
    response: { status },
    current: { route, failure },
  }: { name: string; request: Request; response: Response; current: RequestContext },
): void {
  span.setAttribute('http.response.status_code', status);
  if (route !== undefined) {
    span.setAttribute('http.route', route);
    span.updateName(`${name} ${route}`);
  }
  if (failure instanceof Error) span.recordException(failure);
  // A client that disconnects is not an error.
  if (status < 500 || (failure === undefined && request.signal.aborted)) return;
  span.setAttribute('error.type', failure instanceof Error ? failure.name : String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
