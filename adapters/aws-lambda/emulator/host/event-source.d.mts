import type { Queue, SqsEvent } from './sqs.mjs';

export interface Mapping {
  BatchSize?: number;
  FunctionResponseTypes?: readonly string[];
  ScalingConfig?: { MaximumConcurrency: number };
}

type Invoke = (event: SqsEvent) => Promise<unknown>;

export function deliver(queue: Queue, mapping: Mapping, invoke: Invoke): Promise<number>;
export function deliverAll(queue: Queue, mapping: Mapping, invoke: Invoke): Promise<never>;
