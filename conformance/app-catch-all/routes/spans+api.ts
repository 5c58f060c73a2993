import { findSpans } from '../lib/telemetry.ts';

/** The spans of a trace: its own requests begin others. */
export function GET(request: Request): Response {
  const spans = findSpans(new URL(request.url).searchParams.get('trace') ?? '');
  return Response.json(
    spans.map((span) => ({
      name: span.name,
      kind: span.kind,
      attributes: span.attributes,
      status: span.status.code,
      errors: span.events.map((event) => event.attributes?.['exception.message']),
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
    })),
  );
}
