import { expect, it } from 'vitest';

import { isNeverServed, NEVER_SERVED_ID } from './never-served.ts';

const ROOT = '/home/user/.aws/project';

it.each([
  '.env',
  'lib/.env.local',
  'LIB/.ENV',
  '.npmrc',
  '.dev.vars',
  '.dev.vars.staging',
  '.envrc',
  'lib/.pgpass',
  '.docker/config.json',
  '.wrangler/state/v3/d1/x.sqlite',
  'infra/main.tfstate',
  'keys/x.pem',
  'keys/a.b.p12',
  'id_ed25519',
  'service-account-1.json',
  '.git/config',
  'lib/.ssh/config',
  'app/data+api.ts',
  'app/+middleware.ts',
  'app.json',
])('knows %s', (file) => {
  expect(isNeverServed(`${ROOT}/${file}`, ROOT)).toBe(true);
  expect(NEVER_SERVED_ID.test(`${ROOT}/${file}`)).toBe(true);
  expect(NEVER_SERVED_ID.test(`${ROOT}/${file}?url#x`)).toBe(true);
});

it.each([
  'env',
  '.contentlayer/generated/index.mjs',
  '.velite/posts.json',
  'lib/environment.ts',
  'x.pem.ts',
  'keys.ts',
  'my-app.json',
  'app.json.ts',
  'app/index.tsx',
  'git/x.ts',
])('leaves %s alone', (file) => expect(isNeverServed(`${ROOT}/${file}`, ROOT)).toBe(false));

it('recognises files outside the project', () => {
  expect(isNeverServed('/home/user/.aws/credentials', ROOT)).toBe(true);
  expect(isNeverServed('/home/user/notes.txt', ROOT)).toBe(false);
});
