import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProject } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';
import { startPrerenderer } from './prerender.ts';
import type { PrerenderJob, Prerenderer } from './prerender.ts';

/** Starts the thread with a bundle whose renderer is this code: a function body that can use `target`. */
async function start(render: string, options: { limitMs?: number } = {}): Promise<Prerenderer> {
  const bundle = path.join(await createProject({}), 'bundle.cjs');
  const answer = "(html) => new Response(html, { headers: { 'content-type': 'text/html' } })";
  await writeFile(bundle, `const answer = ${answer};\nexports.render = async (target) => {\n${render}\n};\n`);
  const prerenderer = startPrerenderer(bundle, options);
  onTestFinished(() => prerenderer.close());
  return prerenderer;
}

const toJob = (pattern: string): PrerenderJob => {
  const target = { pattern, assets: { entry: '', modules: [], styles: [] } };
  return { kind: 'page', target, url: 'http://localhost/', params: {} };
};

it('returns HTML, and the data that it was made with', async () => {
  const prerenderer = await start(
    `target.onData(Promise.resolve('data of ' + target.pattern));\nreturn answer(target.pattern);`,
  );
  expect(await prerenderer.run(toJob('/a'))).toEqual({ html: '/a', data: 'data of /a' });
});

it('renders the next page when one fails or does not end', async () => {
  // For the others, the limit does not come, however long they take.
  const render = `if (target.pattern === '/never') return new Promise(() => {});
require('node:timers/promises').setTimeout = () => new Promise(() => {});
require('node:module').syncBuiltinESMExports();
if (target.pattern === '/broken') throw new TypeError('no such thing');
return answer(target.pattern);`;
  const prerenderer = await start(render, { limitMs: 100 });
  const [never, broken, last] = ['/never', '/broken', '/last'].map((pattern) => prerenderer.run(toJob(pattern)));
  await expect(never).rejects.toThrow(/^Error: It was not finished after 0.1 seconds\.$/);
  await expect(broken).rejects.toThrow(/^TypeError: no such thing \(in exports\.render\)$/);
  expect(await last).toEqual({ html: '/last' });
});

it('runs a loader once for the HTML and the file of its data', async () => {
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"static"}}',
    'app/count.tsx': `import { useLoaderData } from 'appkit-router';
let count = 0;
export const loader = () => ++count;
export default () => <p>{useLoaderData()}</p>;`,
  });
  const { outputDir } = await exportApp({ projectRoot });
  const read = (name: string): Promise<string> => readFile(path.join(outputDir, 'client', name), 'utf8');
  expect(await read('count.html')).toContain('<p>1</p>');
  expect(await read('_appkit/data/count.json')).toMatch(
    /^\[\{"client":1,"data":2\},"\/_appkit\/assets\/[\w-]+\.js",\[3\],1\]\n$/,
  );
});
