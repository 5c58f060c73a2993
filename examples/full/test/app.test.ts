import { createTestApp } from 'appkit-server/test';
import { afterAll, expect, it } from 'vitest';

/** Runs the app from its sources, without a build and without a port. */
const app = await createTestApp();
afterAll(() => app.close());

it('says hello', async () => {
  const response = await app.fetch('/hello?name=Ada');
  expect(await response.json()).toEqual({ hello: 'Ada' });
});

it('shows the members page to signed-in users', async () => {
  const refused = await app.fetch('/members');
  expect([refused.status, refused.headers.get('location')]).toEqual([303, '/sign-in']);

  const signedIn = await app.fetch('/sign-in', { method: 'POST', body: new URLSearchParams({ name: 'Hedy' }) });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const members = await app.fetch('/members', { headers: { cookie: cookie.split(';')[0] ?? '' } });
  expect(await members.text()).toContain('Hedy');
});

it('refuses a name that is too long', async () => {
  const form = new URLSearchParams({ name: 'x'.repeat(41) });
  const refused = await app.fetch('/sign-in', { method: 'POST', body: form });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
});
