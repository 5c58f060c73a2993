/** What this adapter reads of the third argument of a Worker's `fetch`. */
export interface CloudflareContext {
  /** Keeps the Worker running until the promise settles, for as long as the platform allows. */
  waitUntil(promise: Promise<unknown>): void;
  /** The cache in front of the Worker, if enabled. */
  cache?: { purge(what: { tags: string[] }): Promise<{ success: boolean; errors: unknown }> };
}

/** What this adapter reads of the messages passed to a Worker's `queue`. */
export interface CloudflareBatch {
  readonly queue: string;
  readonly messages: readonly CloudflareMessage[];
}

/** A message of a queue. */
export interface CloudflareMessage {
  readonly body: unknown;
  /** How often the message has been delivered, including this time. */
  readonly attempts: number;
  /** When it was sent. */
  readonly timestamp: Date;
  /** Acknowledges the message: it is never delivered again. */
  ack(): void;
  /** It is delivered again. */
  retry(options?: { delaySeconds?: number }): void;
}

/** What this adapter reads of the first argument of a Worker's `scheduled`. */
export interface CloudflareController {
  /** The cron as written in the configuration. */
  readonly cron: string;
  /** In milliseconds since 1970. */
  readonly scheduledTime: number;
}

/** The binding of a queue. */
export interface CloudflareQueue {
  send(body: unknown, options: { contentType: 'json'; delaySeconds?: number }): Promise<unknown>;
}
