import { findSpans } from '../lib/telemetry.ts';

/** The spans of a trace: this route's own requests start other traces. */
export function GET(request: Request): Response {
  return Response.json(findSpans(new URL(request.url).searchParams.get('trace') ?? ''));
}
