import type { HostContext } from '../../runtime/host.ts';
import { toClientAddress } from '../_http/client-address.ts';
import type { NodeRequest, NodeResponse } from './host-types.ts';
import { headerOf } from './request.ts';

/** Adds to what is known about a host what it knows about one request. */
export type DescribeHost = (nodeRequest: NodeRequest, nodeResponse: NodeResponse, known?: HostContext) => HostContext;

/**
 * @param shared – what is known about the host for all requests.
 * @param proxies – how many proxies in front are trusted.
 */
export function createDescribeHost(shared: HostContext, proxies: number): DescribeHost {
  // A class, because one is made for each request: no closures, one shape. Its fields are not private: objects inherit from it.
  class RequestHost {
    readonly request: NodeRequest;
    readonly response: NodeResponse;

    constructor(request: NodeRequest, response: NodeResponse) {
      this.request = request;
      this.response = response;
    }

    get clientAddress(): string | undefined {
      return toClientAddress(this.request.socket.remoteAddress, headerOf(this.request, 'x-forwarded-for'), proxies);
    }

    get platform(): unknown {
      return { request: this.request, response: this.response };
    }
  }
  Object.setPrototypeOf(RequestHost.prototype, shared);

  return (nodeRequest, nodeResponse, known = shared) => {
    const host = new RequestHost(nodeRequest, nodeResponse);
    if (known === shared) return host as HostContext;
    return {
      __proto__: known,
      get clientAddress() {
        return host.clientAddress;
      },
      get platform() {
        return host.platform;
      },
    } as HostContext;
  };
}
