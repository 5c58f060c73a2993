import type { HostContext } from '../../runtime/host.ts';
import { toClientAddress } from '../_http/client-address.ts';
import type { NodeRequest, NodeResponse } from './host-types.ts';
import { headerOf } from './request.ts';

/** Adds to what is known about a host the values that only code with a `fetch` function of its own receives. */
export type DescribeHost = (host: HostContext, nodeRequest: NodeRequest, nodeResponse: NodeResponse) => HostContext;

/** @param proxies – how many proxies in front are trusted. */
export function createDescribeHost(proxies: number): DescribeHost {
  return (host, nodeRequest, nodeResponse) =>
    ({
      __proto__: host,
      get clientAddress() {
        return toClientAddress(nodeRequest.socket.remoteAddress, headerOf(nodeRequest, 'x-forwarded-for'), proxies);
      },
      platform: { request: nodeRequest, response: nodeResponse },
    }) as HostContext;
}
