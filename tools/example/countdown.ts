import assert from 'node:assert/strict';
import { ask, waitForAudit } from './app.ts';
import type { ExampleChecks } from './app.ts';

/** The streaming route. */
export const countdownChecks: ExampleChecks = {
  async 'sends the events of a countdown'(app) {
    const response = await ask(app, '/countdown?from=2&everyMs=10');
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.equal(await response.text(), 'data: 2\n\ndata: 1\n\ndata: 0\n\n');
  },

  async 'sends an event before the next one, and ends a countdown when its client goes away'(app) {
    const leaving = new AbortController();
    const response = await ask(app, '/countdown?from=7&everyMs=5000', { signal: leaving.signal });
    assert.ok(response.body);
    const { value } = await response.body.getReader().read();
    // An event that was held back anywhere on the way would have arrived with the last one.
    assert.doesNotMatch(Buffer.from(value ?? []).toString(), /data: 0/);
    leaving.abort();
    await waitForAudit(app, /A client left the countdown at [1-6]/);
  },

  async 'answers 400 to a countdown out of range'(app) {
    const response = await ask(app, '/countdown?from=101');
    assert.deepEqual([response.status, await response.json()], [400, { error: 'from must be from 0 to 100.' }]);
  },
};
