import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';
import { pageData } from '../page-data.ts';
import { release, signalled, uniqueId } from '../generic/signals.ts';

const folders = 'docs/guide/middleware.md: Middleware of a folder';
const next = 'docs/guide/middleware.md: next()';
const values = 'docs/guide/helpers.md: locals()';

async function stops(host: Host, path: string, method = 'GET'): Promise<boolean> {
  const response = await host.send({ path: `${path}?folders=stop`, method });
  return response.status === 401 && response.body.toString() === 'stopped';
}

async function trail(host: Host, path: string): Promise<string | null> {
  return (await host.fetch(path)).headers.get('x-trail');
}

behaviour('runs the middleware of folders from the top down', folders, async (host) => {
  expect(await trail(host, '/folders/inner/finished')).toBe('outer,inner');
});

behaviour('runs the middleware of a folder for what is in it alone', folders, async (host) => {
  expect(await stops(host, '/folders/answers')).toBe(true);
  expect(await stops(host, '/hello')).toBe(false);
  expect(await stops(host, '/foldersx')).toBe(false);
});

behaviour('runs it for paths below the folder and methods that nothing answers', folders, async (host) => {
  for (const path of ['/folders', '/folders/', '/folders/none', '/folders/inner/none/below'])
    expect([path, await stops(host, path)]).toEqual([path, true]);
  expect(await stops(host, '/folders/answers', 'PATCH')).toBe(true);
});

behaviour('runs it whichever way a path is spelled', folders, async (host) => {
  for (const path of ['/%66olders/answers', '/folders/answers/', '/folders/%61nswers'])
    expect([path, await stops(host, path)]).toEqual([path, true]);
});

behaviour('runs it for a file of another folder with the same URL', folders, async (host) => {
  expect(await stops(host, '/folders/grouped')).toBe(true);
});

behaviour('runs it for the destination of a rewrite', folders, async (host) => {
  expect(await stops(host, '/shown-folders/answers')).toBe(true);
});

behaviour('runs it for a page, the data of a page and a page that the export has finished', folders, async (host) => {
  for (const path of ['/folders/inner/page', '/folders/inner/finished'])
    expect([path, await stops(host, path)]).toEqual([path, true]);
  const data = await host.fetch('/folders/inner/page?folders=stop&_appkit_data');
  expect([data.status, await data.text()]).toEqual([401, 'stopped']);
});

behaviour('lets middleware see and change the answer', next, async (host) => {
  const { headers } = await host.fetch('/folders/answers?folders=change');
  expect(headers.get('x-seen')).toBe('200');
  expect(headers.getSetCookie().toSorted()).toEqual(['outer=1', 'route=1']);
});

behaviour('changes no other answer with it', next, async (host) => {
  const changed = await host.fetch('/folders/answers?folders=change', { method: 'DELETE' });
  const other = await host.fetch('/folders/answers', { method: 'DELETE' });
  expect([changed.status, changed.headers.getSetCookie()]).toEqual([204, ['outer=1']]);
  expect([other.status, other.headers.getSetCookie()]).toEqual([204, []]);
});

behaviour('lets middleware replace the answer', next, async (host) => {
  const response = await host.fetch('/folders/answers?folders=replace');
  expect([response.status, await response.text()]).toEqual([203, '<from the route>']);
});

behaviour('lets middleware make the answer again, with its type', next, async (host) => {
  const response = await host.fetch('/folders/answers?folders=wrap');
  const { 'content-type': type, 'set-cookie': cookie } = Object.fromEntries(response.headers);
  // All at once, so that a failure shows what was answered in place of it.
  expect([response.status, await response.text(), cookie, type?.toLowerCase().replace('; ', ';')]).toEqual([
    200,
    'from the route',
    'route=1',
    'text/plain;charset=utf-8',
  ]);
});

behaviour('sends what next() has given when middleware returns nothing', next, async (host) => {
  const response = await host.fetch('/folders/answers?folders=look');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain\b/);
  expect([response.status, await response.text()]).toEqual([200, 'from the route']);
});

behaviour('streams the body of an answer that goes through middleware', next, async (host) => {
  for (const how of ['change', 'wrap']) {
    const id = uniqueId();
    const connection = await host.connect();
    const target = host.target(`/folders/answers?folders=${how}&id=${id}`);
    await connection.write({ method: 'POST', target, headers: [host.hostHeader, ['content-length', '0']] });
    const pieces = connection.pieces(await connection.head());
    expect((await pieces.next()).value?.toString()).toBe('first');
    await release(host, `${id}-second`);
    expect((await pieces.next()).value?.toString()).toBe('second');
    expect((await pieces.next()).done).toBe(true);
    connection.destroy();
  }
});

behaviour('cancels the body of an answer that middleware does not send', next, async (host) => {
  const id = uniqueId();
  const response = await host.fetch(`/folders/answers?folders=discard&id=${id}`, { method: 'PUT' });
  expect(await response.text()).toBe('instead');
  await signalled(host, `${id}-cancelled`);
});

behaviour('shows middleware an error of the route as the answer that it becomes', next, async (host) => {
  for (const [method, status] of [
    ['PUT', 500],
    ['PATCH', 409],
  ] as const) {
    const response = await host.fetch('/folders/inner/visitor?folders=change', { method });
    expect([response.status, response.headers.get('x-seen')]).toEqual([status, String(status)]);
  }
});

behaviour('shows middleware the answer to a path that nothing answers', next, async (host) => {
  const { status, headers } = await host.fetch('/folders/none?folders=change');
  expect([status, headers.get('x-seen')]).toEqual([404, '404']);
});

behaviour('answers 500 when middleware calls next() twice', next, async (host) => {
  const response = await host.fetch('/folders/answers?folders=twice');
  expect(response.status).toBe(500);
});

behaviour('passes values from middleware on to a route, those of each request alone', values, async (host) => {
  const id = uniqueId();
  const visit = async (visitor: string): Promise<unknown> =>
    json(await host.fetch(`/folders/inner/visitor?id=${id}`, { headers: { 'x-visitor': visitor } }));
  const visits = Promise.all([visit('Ada'), visit('Bo')]);
  await release(host, id);
  expect(await visits).toEqual([
    { visitor: 'Ada', trail: ['outer', 'inner'] },
    { visitor: 'Bo', trail: ['outer', 'inner'] },
  ]);
});

behaviour('passes them on to tasks', values, async (host) => {
  const id = uniqueId();
  await host.fetch(`/folders/inner/visitor?id=${id}`, { method: 'POST', headers: { 'x-visitor': 'Ada' } });
  expect(await signalled(host, id)).toBe('Ada');
});

behaviour('passes them on to the loader of a page', values, async (host) => {
  const init = { headers: { 'x-visitor': 'Ada', accept: 'text/html' } };
  expect(await (await host.fetch('/folders/inner/page', init)).text()).toContain('<h1>Ada</h1>');
  expect(await pageData(host, '/folders/inner/page', init)).toEqual({ visitor: 'Ada' });
});
