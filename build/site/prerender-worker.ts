import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

import type { PrerenderAnswer, PrerenderJob, PrerenderMessage, Prerendered, RenderBundle } from './prerender.ts';

// In a thread of its own: what the code of pages leaves open, such as a pool of connections, ends with it.
const { bundle } = workerData as { bundle: string };
let renderer: RenderBundle | undefined;

// Node loads them when they are first used. This thread is started before there is a bundle, and waits for it.
void [Request, Response, TextDecoder];

/** Waking the other thread takes about as long as rendering a small page. */
const ANSWERS_AT_ONCE = 8;

let last = Promise.resolve();
let waiting = 0;
const answers: PrerenderAnswer[] = [];
parentPort?.on('message', (message: PrerenderMessage) => {
  if ('environment' in message) {
    Object.assign(process.env, message.environment);
    return;
  }
  const { id, job } = message;
  waiting++;
  last = last.then(async () => {
    const given = await answer(id, job);
    answers.push(given);
    waiting--;
    const isDue = waiting === 0 || answers.length === ANSWERS_AT_ONCE || 'error' in given;
    if (isDue) parentPort?.postMessage(answers.splice(0));
  });
});

async function answer(id: number, job: PrerenderJob): Promise<PrerenderAnswer> {
  try {
    return { id, result: await perform(job) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function perform(job: PrerenderJob): Promise<unknown> {
  const render = (renderer ??= createRequire(bundle)(bundle) as RenderBundle);
  if (job.kind === 'shell') return render.shell(job.assets);
  if (job.kind === 'params') return (await render.loadPage(job.pattern)).generateStaticParams();
  const { target, url, params, hasLoader } = job;
  const page = await render.render({ ...target, isStatic: true }, new Request(url), params);
  if (!(page.headers.get('content-type') ?? '').startsWith('text/html')) {
    throw new Error(
      `The loader answered with a Response of status ${page.status}, and a page that is written to a file has none.`,
    );
  }
  const html = await page.text();
  if (!hasLoader) return { html } satisfies Prerendered;
  const dataUrl = new URL(url);
  dataUrl.searchParams.set('_appkit_data', '');
  const data = await (await render.render(target, new Request(dataUrl), params)).text();
  return { html, data } satisfies Prerendered;
}
