import assert from 'node:assert/strict';

/** What every new app answers. */
export async function checkRoute(origin: string): Promise<void> {
  const response = await fetch(`${origin}/hello?name=Ada`);
  assert.deepEqual([response.status, await response.json()], [200, { hello: 'Ada' }]);
  assert.equal((await fetch(`${origin}/nowhere`)).status, 404);
}

/** What a new app with pages answers: HTML that was built and HTML that is rendered, data, and the files of the client. */
export async function checkPages(origin: string): Promise<void> {
  const home = await ask(`${origin}/`);
  assert.deepEqual([home.status, home.headers.get('x-content-type-options')], [200, 'nosniff']);
  assert.match(home.text, /<h1>It works<\/h1>/);

  const greeting = await ask(`${origin}/greetings/ada`);
  assert.equal(greeting.status, 200);
  assert.match(greeting.text, /<h1>Good evening, Ada<\/h1>/);
  const data = await fetch(`${origin}/greetings/grace?_appkit_data`);
  assert.match(await data.text(), /"Good morning, Grace"/);
  assert.equal((await ask(`${origin}/greetings/nobody`)).status, 404);

  const missing = await ask(`${origin}/no/such/page`);
  assert.equal(missing.status, 404);
  assert.match(missing.text, /<h1>There is no such page<\/h1>/);
  await checkScript(home.text, origin);
}

/** What a site of one HTML file answers: that file for every path, and the files there are. */
export async function checkSinglePage(origin: string): Promise<void> {
  const home = await ask(`${origin}/`);
  const other = await ask(`${origin}/no/such/page`);
  assert.deepEqual([home.status, other.status], [200, 200]);
  assert.match(home.text, /^<!DOCTYPE html>/i);
  assert.equal(other.text, home.text);
  await checkScript(home.text, origin);
  assert.match(await (await fetch(`${origin}/favicon.svg`)).text(), /^<svg/);
}

async function checkScript(html: string, origin: string): Promise<void> {
  const [, script = ''] = /<script[^>]* src="([^"]+\.js)"/.exec(html) ?? [];
  const asset = await fetch(new URL(script, origin));
  assert.equal(asset.status, 200, script);
  assert.match(asset.headers.get('content-type') ?? '', /javascript/);
  assert.ok((await asset.text()).length > 1000);
}

async function ask(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url, { headers: { accept: 'text/html' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
