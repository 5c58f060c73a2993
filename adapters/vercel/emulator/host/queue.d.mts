import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';

export interface Delivery {
  id: string;
  handle: string;
  body: Buffer;
}

export interface Topic extends EventEmitter {
  receive(): Delivery | undefined;
  repeat(): void;
  list(): { body: unknown; delay: number; deliveryCount: number }[];
}

export interface Queues {
  server: Server;
  topic(name: string): Topic;
}

export function createQueues(token: string): Queues;

export function toHeaders(topic: Topic, delivery: Delivery): Record<string, string>;
