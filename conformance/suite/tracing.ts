import { randomBytes } from 'node:crypto';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';

const source = 'docs/guide/operations.md: OpenTelemetry';
const CALLER = 'b7ad6b7169203331';
const SERVER = 1;

interface Span {
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  status: number;
  errors: string[];
  id: string;
  parent?: string;
}

function traced(host: Host): Promise<Host> {
  return host.configured({ app: 'app-catch-all' });
}

function newTrace(): { trace: string; headers: Record<string, string> } {
  const trace = randomBytes(16).toString('hex');
  return { trace, headers: { traceparent: `00-${trace}-${CALLER}-01` } };
}

/** The spans of a trace, as soon as there are enough: some tasks continue after the response. */
async function spansOf(host: Host, trace: string, count: number): Promise<Span[]> {
  for (;;) {
    const spans = (await (await host.fetch(`/spans?trace=${trace}`)).json()) as Span[];
    if (spans.length >= count) return spans;
  }
}

async function serverSpan(host: Host, path: string, init?: RequestInit): Promise<Span> {
  const { trace, headers } = newTrace();
  await (await host.fetch(path, { ...init, headers: { ...headers, ...init?.headers } })).text();
  const [span] = await spansOf(host, trace, 1);
  if (!span) throw new Error('There is no span.');
  return span;
}

behaviour('continues the trace of the client by a span with the names of the conventions', source, async (host) => {
  const server = await traced(host);
  const span = await serverSpan(server, '/own-head?token=secret', { headers: { 'user-agent': 'conformance' } });
  expect([span.name, span.kind, span.parent]).toEqual(['GET /own-head', SERVER, CALLER]);
  const { protocol, hostname } = new URL(server.origin);
  expect(span.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/own-head',
    'url.path': server.target('/own-head'),
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'user_agent.original': 'conformance',
  });
  expect(JSON.stringify(span)).not.toContain('secret');
});

behaviour('puts spans of middleware, route and tasks below that of their request', source, async (host) => {
  const server = await traced(host);
  const trees = await Promise.all(
    ['a', 'b'].map(async (id) => {
      const { trace, headers } = newTrace();
      await server.fetch(`/traced/${id}`, { headers });
      const spans = await spansOf(server, trace, 5);
      const { id: parent } = spans.find((span) => span.kind === SERVER) ?? {};
      return spans.filter((span) => span.parent === parent).map(({ name }) => name);
    }),
  );
  const below = (id: string): string[] => [`deferred ${id}`, 'middleware', `route ${id}`, `task ${id}`];
  expect(trees.map((names) => names.toSorted())).toEqual([below('a'), below('b')]);
});

behaviour('puts spans of a loader below that of their page', source, async (host) => {
  const server = await traced(host);
  const { trace, headers } = newTrace();
  await (await server.fetch('/pages/traced', { headers })).text();
  const spans = await spansOf(server, trace, 2);
  const page = spans.find((span) => span.kind === SERVER);
  expect([page?.name, spans.find((span) => span.parent === page?.id)?.name]).toEqual(['GET /pages/traced', 'loader']);
});

behaviour('puts spans of a source of events below that of their request', source, async (host) => {
  const server = await traced(host);
  const { trace, headers } = newTrace();
  await (await server.fetch('/traced/events', { headers })).text();
  const spans = await spansOf(server, trace, 2);
  const { id } = spans.find((span) => span.kind === SERVER) ?? {};
  expect(spans.map(({ name, parent }) => [name, parent])).toContainEqual(['events', id]);
});

behaviour('tells a span of an error that no route has handled', source, async (host) => {
  const server = await traced(host);
  const span = await serverSpan(server, '/traced/x', { method: 'PUT' });
  expect([span.name, span.status, span.errors]).toEqual(['PUT /traced/[id]', 2, ['secret cause']]);
  expect(span.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': 'RangeError' });
});

behaviour('makes a span of a request that nothing answers, without its path as a name', source, async (host) => {
  const server = await traced(host);
  const span = await serverSpan(server, '/traced/no/such/route', { method: 'DELETE' });
  expect([span.name, span.status]).toEqual(['DELETE /[...path]', 0]);
  expect(span.attributes).toMatchObject({ 'http.response.status_code': 405, 'http.route': '/[...path]' });
});

behaviour('tells the client how long an answer took, where that is wanted', source, async (host) => {
  const server = await traced(host);
  const { headers } = await server.fetch('/own-head');
  expect(headers.get('server-timing')).toMatch(/\bapp;dur=\d/);
});

behaviour('loads the instrumentation before routes', source, async (host) => {
  const server = await traced(host);
  expect(await (await server.fetch('/traced/x')).json()).toEqual(['instrumentation', 'route']);
});
