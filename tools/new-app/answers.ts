import assert from 'node:assert/strict';

/** The answers of every new app. */
export async function checkRoute(origin: string): Promise<void> {
  const response = await fetch(`${origin}/hello?name=Ada`);
  assert.deepEqual([response.status, await response.json()], [200, { hello: 'Ada' }]);
  assert.equal((await fetch(`${origin}/nowhere`)).status, 404);
}

/** The answers of a new app with pages: prerendered HTML and HTML rendered on request, data, and the client's files. */
export async function checkPages(origin: string): Promise<void> {
  const home = await ask(`${origin}/`);
  assert.deepEqual([home.status, home.headers.get('x-content-type-options')], [200, 'nosniff']);
  assert.match(home.text, /<h1>It works<\/h1>/);

  const greeting = await ask(`${origin}/greetings/ada`);
  assert.equal(greeting.status, 200);
  assert.match(greeting.text, /<h1>Good evening, Ada<\/h1>/);
  const data = await fetch(`${origin}/greetings/grace?_appkit_data`);
  assert.match(await data.text(), /"Good morning, Grace"/);
  const nobody = await ask(`${origin}/greetings/nobody`);
  assert.equal(nobody.status, 404);
  assert.match(nobody.text, /<h1>There is no such page<\/h1>/);
  await checkForm(origin);
  await checkContract(origin);

  const missing = await ask(`${origin}/no/such/page`);
  assert.equal(missing.status, 404);
  assert.match(missing.text, /<h1>There is no such page<\/h1>/);
  await checkScript(home.text, origin);
}

async function checkForm(origin: string): Promise<void> {
  const send = async (name: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${origin}/guestbook`, { method: 'POST', body: new URLSearchParams({ name }) });
    return { status: response.status, text: await response.text() };
  };
  const signed = await send('Hedy');
  assert.equal(signed.status, 200);
  assert.match(signed.text, /<li>Hedy<\/li><li>Ada<\/li>/);
  const empty = await send(' ');
  assert.equal(empty.status, 422);
  assert.match(empty.text, /Write your name first\./);
  const long = await send('x'.repeat(41));
  assert.equal(long.status, 422);
  assert.match(long.text, /<h1>This name is too long for the book\.<\/h1>/);
}

/** The route with a contract, which signs the same guestbook. */
async function checkContract(origin: string): Promise<void> {
  const send = async (name: unknown): Promise<Response> =>
    fetch(`${origin}/guestbook/names`, {
      method: 'POST',
      body: JSON.stringify({ name }),
      headers: { 'content-type': 'application/json' },
    });
  const signed = await send(' Radia ');
  assert.equal(signed.status, 201);
  assert.equal(((await signed.json()) as { names: string[] }).names[0], 'Radia');
  const refused = await send(7);
  assert.deepEqual([refused.status, refused.headers.get('content-type')], [400, 'application/problem+json']);
  const { errors } = (await refused.json()) as { errors: { pointer: string }[] };
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ['#/name'],
  );
}

/** The answers of a new app with pages to a user who signs in, and to one who has not signed in. */
export async function checkMembers(origin: string): Promise<void> {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(origin + path, { ...init, redirect: 'manual' });
  const refused = await ask('/members');
  assert.deepEqual([refused.status, refused.headers.get('location')], [303, '/sign-in']);
  const signedIn = await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ name: 'Hedy' }) });
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/members']);
  const cookie = cookieOf(signedIn);
  const members = await ask('/members', { headers: { cookie } });
  assert.match(await members.text(), /<h1>Welcome, (?:<!-- -->)?Hedy<\/h1>/);
  const signedOut = await ask('/members', { method: 'POST', body: new URLSearchParams(), headers: { cookie } });
  assert.equal(signedOut.status, 303);
  assert.match(cookieOf(signedOut), /session=$/);
  const nameless = await ask('/sign-in', { method: 'POST', body: new URLSearchParams({ name: ' ' }) });
  assert.equal(nameless.status, 400);
}

function cookieOf({ headers }: Response): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/**
 * The events that tell an open page of the guestbook about a new name, on hosts where a server is one process that
 * streams.
 */
export async function checkEvents(origin: string): Promise<void> {
  const { headers, body } = await fetch(`${origin}/guestbook/events`);
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  const signed = await fetch(`${origin}/guestbook`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Katherine' }),
  });
  assert.equal(signed.status, 200);
  for (let part = ''; !/event: signed\ndata: Katherine\n/.test(text); text += part) {
    part = (await reader?.read())?.value ?? assert.fail(`The events have ended: ${text}`);
  }
  await reader?.cancel();
}

/** The answers of a site with one HTML file: that file for every path, and the existing files. */
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
