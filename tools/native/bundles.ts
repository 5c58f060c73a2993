import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export const PLATFORMS = ['ios', 'android', 'web'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The server-only parts of the example: a file, and texts in it. */
const SERVER_TEXTS: readonly [file: string, ...texts: string[]][] = [
  ['server/greeting.ts', 'key-that-only-the-server-knows', 'createHmac'],
  ['app/+middleware.ts', 'agent-that-only-the-middleware-knows'],
  ['app/hello+api.ts', 'route-that-only-the-server-runs'],
];

/** A text that identifies a platform's variant of something. */
const VARIANTS: readonly { of: string; texts: Partial<Record<Platform, string>> }[] = [
  {
    of: 'a package with conditions and suffixes',
    texts: { ios: 'the variant called ios', android: 'the variant called native', web: 'the variant called browser' },
  },
  {
    of: 'appkit-router',
    texts: { ios: 'and a native app has none', android: 'and a native app has none' },
  },
  {
    of: 'appkit-crypto',
    texts: {
      ios: 'React Native has no secure random numbers of its own',
      android: 'React Native has no secure random numbers of its own',
    },
  },
  {
    of: 'appkit-web-browser',
    texts: {
      ios: 'The link that opens the app ends',
      android: 'The link that opens the app ends',
      web: 'BroadcastChannel',
    },
  },
  { of: 'the screen', texts: { ios: 'SafeAreaView', android: 'SafeAreaView', web: '"main"' } },
];

/** Searches the code of a bundle for the server-only parts. */
export async function assertNothingOfServer(code: string, project: string): Promise<void> {
  for (const [file, ...texts] of SERVER_TEXTS) {
    const source = await readFile(path.join(project, file), 'utf8');
    for (const text of texts) {
      assert.ok(source.includes(text), `${file} has no ${JSON.stringify(text)} any more. Choose another text.`);
      assert.ok(!code.includes(text), `${JSON.stringify(text)} of ${file} is in the bundle.`);
    }
    assert.ok(!code.includes(file.replace(/\.ts$/, '').replace(/^app\//, '')), `The bundle names ${file}.`);
  }
}

/** Searches for the variants of a platform, and for those of the other platforms. */
export function assertVariants(code: string, platform: Platform): void {
  for (const { of, texts } of VARIANTS) {
    assert.ok(code.includes(texts[platform] ?? ''), `The variant of ${of} for ${platform} is not in the bundle.`);
    for (const other of Object.values(texts))
      if (other !== texts[platform])
        assert.ok(!code.includes(other), `${JSON.stringify(other)} of ${of} is in the bundle.`);
  }
}
