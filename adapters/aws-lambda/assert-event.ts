import { codedError } from '../../runtime/host.ts';
import type { LambdaEvent, LambdaProxyEvent } from './host-types.ts';

/** The fields that distinguish the events of Lambda. Any of them may be missing. */
interface UnknownEvent {
  version?: unknown;
  rawPath?: unknown;
  httpMethod?: unknown;
  path?: unknown;
  multiValueHeaders?: unknown;
  Records?: readonly { eventSource?: unknown; EventSource?: unknown }[];
  source?: unknown;
  requestContext?: { http?: { method?: unknown }; elb?: unknown } | null;
}

/** Whether this is a request from a REST API, or from a load balancer with multi-value headers. */
export function isProxyEvent(value: unknown): value is LambdaProxyEvent {
  const event = Object(value) as UnknownEvent;
  const isRequest = typeof event.httpMethod === 'string' && typeof event.path === 'string';
  if (!isRequest || event.version !== undefined || !isObject(event.requestContext)) return false;
  return event.requestContext.elb === undefined || isObject(event.multiValueHeaders);
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

function describe(event: UnknownEvent): string {
  if (isProxyEvent(event)) {
    return (
      'an event of a REST API or a load balancer, which do not accept a stream from this function. Create it with ' +
      'createRequestHandler, or call it through a Function URL.'
    );
  }
  if (event.requestContext?.elb !== undefined) {
    return (
      'an event of an Application Load Balancer that keeps one value of each header, so cookies would be lost. Set ' +
      'lambda.multi_value_headers.enabled to true in the attributes of its target group.'
    );
  }
  if (event.version === '1.0') {
    return 'an event of an HTTP API in payload format 1.0. Set PayloadFormatVersion to "2.0".';
  }
  const origin = event.Records?.[0]?.eventSource ?? event.Records?.[0]?.EventSource ?? event.source;
  const kind = typeof origin === 'string' ? `an event of ${origin}` : 'an event that is not an HTTP request';
  return (
    `${kind}. Call it through a Function URL, an API of API Gateway or a load balancer. Other events need a function ` +
    'of their own.'
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
