import { codedError } from '../../runtime/host.ts';
import type { LambdaEvent } from './host-types.ts';

/** The fields that distinguish the events of Lambda. Any of them may be missing. */
interface UnknownEvent {
  version?: unknown;
  rawPath?: unknown;
  httpMethod?: unknown;
  Records?: readonly { eventSource?: unknown; EventSource?: unknown }[];
  source?: unknown;
  requestContext?: { http?: { method?: unknown }; elb?: unknown };
}

/**
 * Checks that the function was called with a request in payload format 2.0.
 *
 * @throws CodedError ERR_EVENT_INVALID otherwise.
 */
export function assertEvent(value: unknown): asserts value is LambdaEvent {
  const event = Object(value) as UnknownEvent;
  const isRequest = typeof event.rawPath === 'string' && typeof event.requestContext?.http?.method === 'string';
  if (isRequest && event.version === '2.0') return;
  throw codedError('ERR_EVENT_INVALID', `The function was called with ${describe(event)}`);
}

function describe({ httpMethod, requestContext, Records, source }: UnknownEvent): string {
  const instead = 'Call it through a Function URL, or an HTTP API with payload format 2.0.';
  if (requestContext?.elb !== undefined) return `an event of an Application Load Balancer. ${instead}`;
  if (httpMethod !== undefined) {
    return (
      'an event in payload format 1.0. On an HTTP API, set PayloadFormatVersion to "2.0". A REST API has no other: ' +
      'use an HTTP API or a Function URL instead.'
    );
  }
  const origin = Records?.[0]?.eventSource ?? Records?.[0]?.EventSource ?? source;
  const kind = typeof origin === 'string' ? `an event of ${origin}` : 'an event that is no HTTP request';
  return `${kind}. ${instead} Other events need a function of their own.`;
}
