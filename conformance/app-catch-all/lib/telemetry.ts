import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { record, valueOf } from '../../app/lib/signals.ts';

const exporter = new InMemorySpanExporter();

/** What has been loaded, in its order. */
export const loaded: string[] = [];

/** Starts what collects spans. */
export function startTelemetry(): void {
  loaded.push('instrumentation');
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter }), ofJobs] }),
  );
}

/** A span such as that of a query. */
export function spanBelow(name: string): void {
  trace.getTracer('conformance').startSpan(name).end();
}

/** A span as the suite reads it. */
interface FoundSpan {
  id: string;
  name: string;
}

/** The spans of a trace that have ended. Those of jobs may be of another process. */
export function findSpans(traceId: string): FoundSpan[] {
  const here = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  const found = here.map(describeSpan);
  const elsewhere = SPANS_OF_JOBS.flatMap((name) => {
    const recorded = valueOf(`${traceId} ${name}`);
    return recorded === null ? [] : [JSON.parse(recorded) as FoundSpan];
  });
  return [...found, ...elsewhere.filter(({ id }) => found.every((span) => span.id !== id))];
}

const SPANS_OF_JOBS = ['process traced/work', 'job'];

const ofJobs: SpanProcessor = {
  onStart() {},
  onEnd(span) {
    if (!SPANS_OF_JOBS.includes(span.name)) return;
    record(`${span.spanContext().traceId} ${span.name}`, JSON.stringify(describeSpan(span)));
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};

function describeSpan(span: ReadableSpan): FoundSpan & Record<string, unknown> {
  return {
    name: span.name,
    kind: span.kind,
    attributes: span.attributes,
    status: span.status.code,
    errors: span.events.map((event) => event.attributes?.['exception.message']),
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
  };
}
