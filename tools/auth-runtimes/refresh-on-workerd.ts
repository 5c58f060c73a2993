import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { seal } from '../sign-in/session-cookie.ts';

/** What we use of the package miniflare, which conformance installs. */
interface Workerd {
  ready: Promise<URL>;
  dispose(): Promise<void>;
}

const CLIENT = { clientId: 'client', sessionSecret: 'a secret of the checks, long enough' };
const WORKER = `
  import { createSessionServer } from 'appkit-auth-session/server';
  export default {
    fetch(request, { ISSUER: issuer, SECRET: secret }) {
      const sessions = createSessionServer({ issuer, clientId: 'client', clientSecret: 'secret', secrets: [secret] });
      return sessions.withSession((_, { accessToken }) => Response.json({ accessToken }))(request, {});
    },
  };`;

/** A request whose client leaves while it refreshes a session must not keep other requests from refreshing it. */
export async function checkRefreshOnWorkerd(tools: string): Promise<void> {
  let leave = (): void => {};
  const asked = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let forms = 0;
  const provider = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const document = { issuer, token_endpoint: `${issuer}/token` };
    const tokens = { access_token: 'next', token_type: 'bearer', expires_in: 3600, refresh_token: 'another' };
    if (request.method === 'POST' && forms++ === 0) return leave();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.method === 'POST' ? tokens : document));
  });
  await new Promise<void>((resolve) => {
    provider.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`; // a string only for a pipe
  const worker = await startWorker(tools, { ISSUER: issuer, SECRET: CLIENT.sessionSecret });
  try {
    const now = Math.floor(Date.now() / 1000);
    const tokens = { accessToken: 'a'.repeat(20), refreshToken: 'r'.repeat(20), issuedAt: now - 3590, expiresIn: 3600 };
    const content = { subject: 'ada', claims: {}, tokens };
    const headers = { cookie: `auth-session=${seal({ ...CLIENT, issuer }, { content, exp: now + 3600 })}` };
    const url = await worker.ready;
    const leaving = new AbortController();
    const first = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left');
    await asked;
    const second = fetch(url, { headers, signal: AbortSignal.timeout(60_000) });
    leaving.abort();
    assert.equal(await first, 'left');
    const answer = await second;
    assert.deepEqual([answer.status, await answer.json()], [200, { accessToken: 'next' }]);
  } finally {
    await worker.dispose();
    provider.closeAllConnections();
    provider.close();
  }
}

async function startWorker(tools: string, bindings: Record<string, string>): Promise<Workerd> {
  const bundle = await rolldown({
    input: 'worker',
    platform: 'browser',
    plugins: [
      {
        name: 'worker',
        async resolveId(id, importer) {
          if (id === 'worker') return id;
          return importer === 'worker' ? this.resolve(id, path.join(import.meta.dirname, 'program.mjs')) : null;
        },
        load: (id) => (id === 'worker' ? WORKER : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const { Miniflare } = createRequire(path.join(tools, 'package.json'))('miniflare') as {
    Miniflare: new (options: object) => Workerd;
  };
  const script = output[0].code;
  return new Miniflare({ modules: true, script, compatibilityDate: '2026-06-01', bindings, cf: false });
}
