import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';
import { createTestApp } from 'appkit-server/test';
import { afterAll, expect, it, vi } from 'vitest';

const jobs = createSqliteJobs({ file: ':memory:' });
// The first attempt at a mail fails on purpose.
const app = await createTestApp({ jobs, onError: () => {} });

/** A mail service that is busy at the first request. */
const sent: { id: unknown; mail: unknown }[] = [];
let asked = 0;
const service = createServer(async (request, response) => {
  const mail: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
  if (asked++ === 0) return response.writeHead(503).end();
  sent.push({ id: request.headers['idempotency-key'], mail });
  response.end();
}).listen(0, '127.0.0.1');
await once(service, 'listening');
process.env['MAIL_URL'] = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

afterAll(async () => {
  await app.close();
  await jobs.close();
  service.close();
});

function send(fields: Record<string, string>): Promise<Response> {
  return app.fetch('/contact', { method: 'POST', body: new URLSearchParams(fields) });
}

it('sends one mail for a form that is sent twice, although the mail service is busy at first', async () => {
  const form = { from: 'ada@example.com', text: 'Hello', key: 'form-1' };
  expect(await (await send(form)).text()).toContain('on its way');
  expect((await send(form)).status).toBe(200);
  await vi.waitFor(() => expect(jobs.list({ state: 'done' })).toHaveLength(1), { timeout: 30_000 });
  const [job] = jobs.list();
  expect(job).toMatchObject({ key: 'form-1', attempt: 2 });
  expect(sent).toEqual([{ id: job?.id, mail: { from: 'ada@example.com', text: 'Hello' } }]);
});

it('stores nothing that is not a mail', async () => {
  const before = jobs.list().length;
  const refused = await send({ from: 'nobody', text: 'Hello', key: 'form-2' });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('This is not a valid address')]);
  expect((await send({ from: 'ada@example.com', text: ' ', key: 'form-3' })).status).toBe(422);
  expect((await send({ from: 'ada@example.com', text: 'Hello', key: 'k'.repeat(201) })).status).toBe(422);
  expect(jobs.list()).toHaveLength(before);
});
