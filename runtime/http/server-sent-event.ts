import { codedError } from './coded-error.ts';

/** An event of `text/event-stream`. */
export interface ServerSentEvent {
  /** What the client receives: text as it is, anything else as JSON. Default: none, so the client gets no event. */
  data?: unknown;
  /** The type of the event, which the client listens for. Default: `message`. */
  event?: string | undefined;
  /** What the client sends as `Last-Event-ID` when it reconnects. Default: the id of the previous event. */
  id?: string | undefined;
  /** How long the client waits before it reconnects, in milliseconds. Default: the browser's own. */
  retry?: number | undefined;
  /** Text that clients ignore. */
  comment?: string | undefined;
}

/**
 * Writes an event.
 *
 * @param event – text is its `data`.
 * @throws TypeError with code `ERR_EVENT_STREAM_INVALID` for a field that would end early or start another event.
 * @see HTML Standard, section 9.2.5
 */
export function formatEvent(event: ServerSentEvent | string): string {
  const { comment, event: type, id, retry, data } = toFields(event);
  const lines = toLines('', comment);
  if (type !== undefined) lines.push(`event: ${assertLine('event', type)}`);
  if (id !== undefined) lines.push(`id: ${assertLine('id', id)}`);
  if (retry !== undefined) lines.push(`retry: ${assertDelay(retry)}`);
  lines.push(...toLines('data', typeof data === 'string' ? data : JSON.stringify(data)));
  return `${lines.join('\n')}\n\n`;
}

function toFields(event: unknown): ServerSentEvent {
  if (typeof event === 'string') return { data: event };
  if (typeof event === 'object' && event !== null) return event;
  throw codedError(
    'ERR_EVENT_STREAM_INVALID',
    `An event of an event stream is ${event === null ? 'null' : `of type ${typeof event}`}. Yield text or an object such as { data }.`,
  );
}

// Clients end a line at each of these.
function toLines(field: string, text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/\r\n|\r|\n/).map((line) => `${field}: ${line}`);
}

function assertLine(field: 'event' | 'id', text: unknown): string {
  // A client ignores an id with NULL.
  if (typeof text === 'string' && !/[\r\n\0]/.test(text)) return text;
  throw codedError(
    'ERR_EVENT_STREAM_INVALID',
    `The field ${field} of an event is ${JSON.stringify(text)}. Give it text without line breaks and NULL.`,
  );
}

function assertDelay(retry: unknown): number {
  if (typeof retry === 'number' && Number.isInteger(retry) && retry >= 0) return retry;
  throw codedError(
    'ERR_EVENT_STREAM_INVALID',
    `The field retry of an event is ${String(retry)}. Give it a whole number of milliseconds.`,
  );
}
