import { expect, it, vi } from 'vitest';
import { handlerOf } from '../runtime/fixtures/app.ts';
import type { Handler } from '../runtime/handler.ts';
import { filesIn, importSample } from './guide-samples.ts';

type Route = Record<string, unknown>;

/** The guide's app, with its routes bundled as in an export. */
async function createApp(): Promise<Handler> {
  const files = filesIn('docs/guide/cookies.md');
  files.set(
    'app.ts',
    ['theme', 'login', 'account'].map((name) => `export * as ${name} from './app/${name}+api.ts';`).join('\n'),
  );
  const { theme, login, account } = await importSample<Record<'theme' | 'login' | 'account', Route>>(
    files,
    'app.ts',
    {},
  );
  return handlerOf({ routes: { '/theme': theme, '/login': login, '/account': account } });
}

it('the routes of the guide remember a theme, and who has logged in', async () => {
  vi.stubEnv('SESSION_SECRET', 'a secret of the test, of 32 characters');
  const app = await createApp();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    app(new Request(`https://app.test${path}`, init));
  const cookieOf = ({ headers }: Response): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

  const set = await ask('/theme', { method: 'POST', body: 'dark' });
  expect(set.headers.getSetCookie()).toEqual(['theme=dark; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax']);
  expect(await (await ask('/theme', { headers: { cookie: cookieOf(set) } })).json()).toEqual({ theme: 'dark' });
  expect(await (await ask('/theme')).json()).toEqual({ theme: 'light' });

  const logIn = (password: string): Promise<Response> =>
    ask('/login', { method: 'POST', body: new URLSearchParams({ user: 'Ada', password }) });
  expect((await logIn('guess')).headers.getSetCookie()).toEqual([]);
  expect((await ask('/account')).status).toBe(401);
  const cookie = cookieOf(await logIn('correct horse'));
  expect(await (await ask('/account', { headers: { cookie } })).json()).toEqual({ user: 'Ada' });
  expect((await ask('/login', { method: 'DELETE', headers: { cookie } })).headers.getSetCookie()).toEqual([
    expect.stringContaining('__Host-session=; Max-Age=0;'),
  ]);
});
