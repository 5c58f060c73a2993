import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { startServer } from '../../conformance/server-process.ts';
import type { ServerCommand } from '../../conformance/server-process.ts';
import type { Checks } from '../checks.ts';
import type { ExampleChecks } from './app.ts';

/** A host that runs the example. */
export interface ExampleServer extends ServerCommand {
  /** The prefix of its checks' names. */
  name: string;
}

/** Starts the example on a host, checks it, and stops it. */
export async function checkServer(checks: Checks, server: ExampleServer, exampleChecks: ExampleChecks): Promise<void> {
  const { name, ready, env } = server;
  const sessionSecret = randomBytes(32).toString('base64url');
  const running = await checks.run(`${name}: starts`, () =>
    startServer({ ...server, env: { ...env, SESSION_SECRET: sessionSecret } }),
  );
  if (!running) return;
  const app = { origin: running.origin, sessionSecret };
  for (const [what, check] of Object.entries(exampleChecks)) await checks.run(`${name}: ${what}`, () => check(app));
  await checks.run(`${name}: SIGTERM ends it with code 0, and it has printed no error`, async () => {
    const { code, output } = await running.stop();
    assert.deepEqual({ code, output: output.replace(ready, '').trim() }, { code: 0, output: '' });
  });
}
