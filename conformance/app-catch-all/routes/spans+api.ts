import { findSpans } from '../lib/telemetry.ts';

/** The spans of a trace: its own requests begin others. */
export function GET(request: Request): Response {
  return Response.json(findSpans(new URL(request.url).searchParams.get('trace') ?? ''));
}
