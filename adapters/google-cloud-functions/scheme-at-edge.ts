import type { NodeRequest } from '../_node/host-types.ts';
import { headerOf } from '../_node/request.ts';

/**
 * The scheme that Google's front end says, which replaces what a client has sent, or adds to it. There is none on the computer of a
 * developer.
 */
export function schemeAtEdge(nodeRequest: NodeRequest): 'http' | 'https' {
  return /\bhttps$/i.test(headerOf(nodeRequest, 'x-forwarded-proto') ?? '') ? 'https' : 'http';
}
