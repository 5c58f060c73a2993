import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';

export interface QueueSettings {
  VisibilityTimeout?: number;
  MessageRetentionPeriod?: number;
  RedrivePolicy?: { maxReceiveCount: number; deadLetterQueue: string };
}

export interface SqsEvent {
  Records: { messageId: string; receiptHandle: string; body: string; attributes: Record<string, string> }[];
}

export interface Queue extends EventEmitter {
  send(body: string, options?: { DelaySeconds?: number }): unknown;
  receive(most: number): SqsEvent['Records'];
  delete(handle: string): void;
  hide(handle: string, seconds: number): void;
  repeat(handle: string): void;
  nextAt(): number;
  list(): {
    body: string;
    attributes: Record<string, { StringValue: string }>;
    receiveCount: number;
    visibleAt: number;
  }[];
}

export interface Sqs {
  server: Server;
  queue(name: string): Queue;
  urlOf(name: string): string;
}

export function createSqs(queues: Record<string, QueueSettings>): Sqs;
