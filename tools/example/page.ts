import assert from 'node:assert/strict';
import { ask } from './app.ts';
import type { ExampleChecks } from './app.ts';

// Hosts serve it as either.
const JAVASCRIPT = /^(?:text|application)\/javascript\b/;

/** The static page and the files that it loads. */
export const pageChecks: ExampleChecks = {
  async 'serves the page at /'(app) {
    const response = await ask(app, '/');
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html; ?charset=utf-8$/i);
    assert.match(await response.text(), /<h1>Hello<\/h1>/);
  },

  async 'serves the scripts and styles that the page loads'(app) {
    const page = await (await ask(app, '/')).text();
    const scripts = [...page.matchAll(/<script [^>]*src="(.+?)"/g)].map(([, path = '']) => path);
    const styles = [...page.matchAll(/<link rel="stylesheet" href="(.+?)"/g)].map(([, path = '']) => path);
    assert.ok(scripts.length > 0 && styles.length > 0, 'The page must have a script and a style sheet.');
    for (const path of scripts) await expectFile(path, JAVASCRIPT, /^import /m);
    for (const path of styles) await expectFile(path, /^text\/css\b/, /^body \{/m);
    // page.js is loaded by the other scripts.
    await expectFile('/page.js', JAVASCRIPT, /^export /m);

    async function expectFile(path: string, type: RegExp, content: RegExp): Promise<void> {
      const response = await ask(app, path);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type') ?? '', type, path);
      assert.match(await response.text(), content, path);
    }
  },

  async 'answers 404 for a file that does not exist'(app) {
    const response = await ask(app, '/none.js');
    assert.deepEqual([response.status, await response.text()], [404, 'Not found']);
  },
};
