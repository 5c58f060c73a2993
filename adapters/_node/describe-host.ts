import type { HostContext } from '../../runtime/host.ts';
import { toClientAddress } from '../_http/client-address.ts';
import type { NodeRequest, NodeResponse } from './host-types.ts';
import { headerOf } from './request.ts';

/** What is known about a host and one request. */
export interface DescribedHost extends HostContext {
  /** Lets go of the connection. Otherwise code that keeps the context of a request, such as a timer, would keep it as well. */
  release(): void;
}

/** Adds to what is known about a host what it knows about one request. */
export type DescribeHost = (nodeRequest: NodeRequest, nodeResponse: NodeResponse, known?: HostContext) => DescribedHost;

/**
 * @param shared – what is known about the host for all requests.
 * @param proxies – how many proxies in front are trusted.
 */
export function createDescribeHost(shared: HostContext, proxies: number): DescribeHost {
  // A class, because one is made for each request: no closures, one shape. Its field is not private: objects inherit from it.
  class RequestHost {
    platform: { request: NodeRequest; response: NodeResponse } | undefined;

    constructor(request: NodeRequest, response: NodeResponse) {
      this.platform = { request, response };
    }

    get clientAddress(): string | undefined {
      const request = this.platform?.request;
      return request && toClientAddress(request.socket.remoteAddress, headerOf(request, 'x-forwarded-for'), proxies);
    }

    release(): void {
      this.platform = undefined;
    }
  }
  Object.setPrototypeOf(RequestHost.prototype, shared);

  return (nodeRequest, nodeResponse, known = shared) => {
    const host = new RequestHost(nodeRequest, nodeResponse);
    if (known === shared) return host as DescribedHost;
    return {
      __proto__: known,
      get clientAddress() {
        return host.clientAddress;
      },
      get platform() {
        return host.platform;
      },
      release: () => host.release(),
    } as DescribedHost;
  };
}
