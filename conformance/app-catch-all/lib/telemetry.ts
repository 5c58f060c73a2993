import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

const exporter = new InMemorySpanExporter();

/** What has been loaded, in its order. */
export const loaded: string[] = [];

/** Starts what collects spans. */
export function startTelemetry(): void {
  loaded.push('instrumentation');
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
}

/** A span such as that of a query. */
export function spanBelow(name: string): void {
  trace.getTracer('conformance').startSpan(name).end();
}

/** The spans of a trace that have ended. */
export function findSpans(traceId: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
}
