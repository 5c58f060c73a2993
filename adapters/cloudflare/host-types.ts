/** What this adapter reads of the third argument of a Worker's `fetch`. */
export interface CloudflareContext {
  /** Keeps the Worker running until the promise settles, for as long as the platform allows. */
  waitUntil(promise: Promise<unknown>): void;
  /** The cache in front of the Worker, if enabled. */
  cache?: { purge(what: { tags: string[] }): Promise<{ success: boolean; errors: unknown }> };
}

/** What is read of the messages that a Worker's `queue` is given. */
export interface CloudflareBatch {
  readonly queue: string;
  readonly messages: readonly CloudflareMessage[];
}

/** A message of a queue. */
export interface CloudflareMessage {
  readonly body: unknown;
  /** How often it has been delivered, this time included. */
  readonly attempts: number;
  /** When it was sent. */
  readonly timestamp: Date;
  /** It is never delivered again. */
  ack(): void;
  /** It is delivered again. */
  retry(options?: { delaySeconds?: number }): void;
}

/** What is read of the first argument of a Worker's `scheduled`. */
export interface CloudflareController {
  /** The cron, as the configuration has it. */
  readonly cron: string;
  /** In milliseconds since 1970. */
  readonly scheduledTime: number;
}

/** The binding of a queue. */
export interface CloudflareQueue {
  send(body: unknown, options: { contentType: 'json'; delaySeconds?: number }): Promise<unknown>;
}
