import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it, onTestFinished } from 'vitest';
import { startProvider } from './fixtures/provider.ts';

it('signs in the user of an app in React Native, without what React Native does not have', async () => {
  await using provider = await startProvider();
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-native-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, 'fixtures/native-app.ts'),
    platform: 'neutral',
    resolve: {
      conditionNames: ['react-native', 'import', 'default'],
      alias: { 'react-native': path.join(import.meta.dirname, '../web-browser/fixtures/react-native.ts') },
    },
  });
  const app = path.join(folder, 'app.mjs');
  await bundle.write({ file: app, format: 'esm', codeSplitting: false });
  await bundle.close();
  const { stdout } = await promisify(execFile)(process.execPath, [app, provider.issuer]);
  expect(JSON.parse(stdout)).toEqual({
    unavailable: 'ERR_CRYPTO_UNAVAILABLE',
    redirectUri: 'com.example.app:///+appkit-auth-session',
    isOfSignIn: true,
    sub: 'ada',
    isFresh: true,
    read: ['YQ==', "100% l'%E9té"],
    ended: 'AbortError',
    left: 0,
  });
});
