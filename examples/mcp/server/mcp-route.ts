import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { allowsRequest } from './allowed-hosts.ts';
import { createEventStore } from './event-store.ts';

type Handler = (request: Request) => Promise<Response>;

/** The largest number of sessions. Beyond it, the oldest one ends, and its client starts another. */
const MAX_SESSIONS = 1000;
/** How long a client waits before it requests what it has missed, in milliseconds. */
const RETRY_MS = 1000;

/**
 * Creates the handlers of a route that implements the Streamable HTTP transport. POST sends a message, and its answer
 * may be a stream of events; GET opens a stream for messages that are not answers; DELETE ends a session.
 *
 * Sessions are kept in memory, so run one instance, or have the proxy send each session to the same one.
 *
 * @param createServer – called once for each session.
 */
export function createMcpRoute(createServer: () => McpServer): Record<'GET' | 'POST' | 'DELETE', Handler> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const begin = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
      onsessioninitialized: async (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions.values();
        if (sessions.size > MAX_SESSIONS) await oldest?.close();
      },
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    transport.onclose = () => void sessions.delete(transport.sessionId ?? '');
    await createServer().connect(transport);
    return transport;
  };

  const answer: Handler = async (request) => {
    if (!allowsRequest(request)) return Response.json({ error: 'Forbidden' }, { status: 403 });
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await begin()).handleRequest(request);
    const transport = sessions.get(id);
    // The client then begins a new session.
    return transport ? transport.handleRequest(request) : Response.json({ error: 'No such session' }, { status: 404 });
  };
  return { GET: answer, POST: answer, DELETE: answer };
}
