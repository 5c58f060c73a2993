import assert from 'node:assert/strict';
import { ask, waitForAudit } from './app.ts';
import type { ExampleChecks } from './app.ts';

/** The streaming route. */
export const countdownChecks: ExampleChecks = {
  async 'sends the events of a countdown one by one'(app) {
    const response = await ask(app, '/countdown?from=2&everyMs=500');
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.ok(response.body);
    const pieces: string[] = [];
    for await (const piece of response.body) pieces.push(Buffer.from(piece).toString());
    // Events that were held back anywhere on the way would have arrived together.
    assert.deepEqual(pieces, ['data: 2\n\n', 'data: 1\n\n', 'data: 0\n\n']);
  },

  async 'ends a countdown when its client goes away'(app) {
    const leaving = new AbortController();
    const response = await ask(app, '/countdown?from=77&everyMs=5000', { signal: leaving.signal });
    assert.ok(response.body);
    const { value } = await response.body.getReader().read();
    assert.equal(Buffer.from(value ?? []).toString(), 'data: 77\n\n');
    leaving.abort();
    await waitForAudit(app, /A client left the countdown at 76/);
  },

  async 'answers 400 to a countdown out of range'(app) {
    const response = await ask(app, '/countdown?from=101');
    assert.deepEqual([response.status, await response.json()], [400, { error: 'from must be from 0 to 100.' }]);
  },
};
