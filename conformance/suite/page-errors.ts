import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { failure } from '../page-data.ts';
import { release, uniqueId } from '../generic/signals.ts';

const source = 'docs/guide/pages.md: Errors';

async function page(host: Host, path: string): Promise<[status: number, html: string]> {
  const response = await host.fetch(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
  return [response.status, await response.text()];
}

behaviour('shows the boundary of a page that throws while it is rendered, with 500', source, async (host) => {
  const [status, html] = await page(host, '/site/data/throws');
  expect([status, /id="site-layout"/.test(html)]).toEqual([500, true]);
  expect(html).toMatch(/<h1>(?:Internal server error|a secret of the page)<\/h1>/);
});

behaviour('tells a boundary nothing of an error', { source: 'B2', needs: 'plainErrors' }, async (host) => {
  for (const path of ['/site/data/throws', '/site/area/throws', '/site/area/failing']) {
    const [status, html] = await page(host, path);
    expect([path, status, html.includes('Internal server error')]).toEqual([path, 500, true]);
    expect(html).not.toContain('a secret');
  }
});

behaviour('shows the boundary of a layout for a page without one', source, async (host) => {
  for (const path of ['/site/area/throws', '/site/area/failing']) {
    const [status, html] = await page(host, path);
    expect([path, status]).toEqual([path, 500]);
    expect(html).toMatch(/id="site-layout".*<h1>Area: /s);
    expect(html).not.toContain('area-layout');
  }
});

behaviour('shows the boundary of a layout for its own loader, with the status of the error', source, async (host) => {
  const [status, html] = await page(host, '/site/area/one?closed');
  expect([status, html.includes('<h1>Area: The area is closed</h1>')]).toEqual([503, true]);
});

behaviour('says which layout has failed to a client that asks for data', source, async (host) => {
  const message = 'The area is closed';
  expect(await failure(host, '/site/area/one?closed')).toEqual({ status: 503, message, level: 1 });
  expect(await failure(host, '/site/area/failing')).toMatchObject({ status: 500, level: 2 });
});

behaviour('finds pages by parameters with line breaks', 'B12', async (host) => {
  for (const [name, text] of [
    ['%0A', '\n'],
    ['%E2%80%A8', '\u2028'],
    ['a%0Db', 'a'],
  ] as const) {
    const [status, html] = await page(host, `/site/items/${name}`);
    expect([name, status, html.includes(`<h1>Item ${text}`)]).toEqual([name, 200, true]);
  }
});

behaviour(
  'gives the nonce of its policy to every script of a page',
  'Content Security Policy Level 3, 7.1',
  async (host) => {
    const id = uniqueId();
    const [response, again] = await Promise.all([
      host.fetch(`/site/data/nonce?id=${id}`),
      host.fetch(`/site/data/nonce?id=${id}`),
      release(host, id),
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /^script-src 'nonce-(\w{32,})'$/.exec(policy) ?? [];
    const scripts = [...(await response.text()).matchAll(/<script(?! id="appkit-page)[^>]*>/g)].map(([tag]) => tag);
    // There are more if the host sends it in parts.
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(again.headers.get('content-security-policy')).not.toBe(policy);
  },
);
