import type { NodeRequest } from '../_node/host-types.ts';
import { headerOf } from '../_node/request.ts';

/**
 * The scheme reported by Google's front end, which replaces the client's value or adds to it. Undefined on a
 * developer's computer.
 */
export function schemeAtEdge(nodeRequest: NodeRequest): 'http' | 'https' {
  return /\bhttps$/i.test(headerOf(nodeRequest, 'x-forwarded-proto') ?? '') ? 'https' : 'http';
}
