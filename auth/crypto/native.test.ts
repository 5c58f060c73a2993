import { createHash, webcrypto } from 'node:crypto';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as Native from './index.native.ts';

type Entry = typeof Native;

let loads = 0;

/** The native entry as an app imports it, and the app's earlier imports, on a platform without cryptography. */
async function load(imports: string[] = []): Promise<Entry> {
  const bundle = await rolldown({
    input: 'entry',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' || id === 'expo-crypto' ? `\0${id}` : null),
        load(id) {
          const at = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));
          if (id === '\0expo-crypto') return 'export const { digest, getRandomValues } = globalThis.expoCrypto;';
          if (id !== '\0entry') return null;
          return `${imports.map((name) => `import ${at(name)};`).join('\n')} export * from ${at('index.native.ts')};`;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return (await import(`data:text/javascript,${encodeURIComponent(`${output[0].code}\n// ${loads++}`)}`)) as Entry;
}

const expoCrypto = {
  digest: vi.fn(async (algorithm: string, data: Uint8Array<ArrayBuffer>) => webcrypto.subtle.digest(algorithm, data)),
  getRandomValues: vi.fn((values: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(values)),
};

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('crypto', undefined);
  vi.stubGlobal('expoCrypto', expoCrypto);
});
afterEach(() => vi.unstubAllGlobals());

it('has the names of the other entry, and the function that registers a source', async () => {
  const names = [...Object.keys(await import('./index.ts')), 'registerCrypto'];
  expect(Object.keys(await load()).toSorted()).toEqual(names.toSorted());
});

it.each(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const)(
  'returns the %s without the platform',
  async (algorithm) => {
    const { digest, digestStringAsync } = await load();
    for (const text of ['', 'abc', 'ü'.repeat(200)]) {
      const expected = createHash(algorithm).update(text).digest('hex');
      expect(await digestStringAsync(algorithm, text)).toBe(expected);
      const bytes = new TextEncoder().encode(`--${text}`).subarray(2);
      expect(Buffer.from(await digest(algorithm, bytes)).toString('hex')).toBe(expected);
    }
  },
);

it('says that no secure source exists, and what to install', async () => {
  const { getRandomBytes, getRandomValues, randomUUID } = await load();
  for (const call of [() => getRandomBytes(8), () => getRandomValues(new Uint8Array(8)), () => randomUUID()]) {
    expect(call).toThrow(expect.objectContaining({ code: 'ERR_CRYPTO_UNAVAILABLE' }));
    expect(call).toThrow(/appkit-crypto\/adapters\/expo/);
  }
});

it("uses the random numbers that a package has provided, and the platform's digests if it has them", async () => {
  vi.stubGlobal('crypto', webcrypto);
  const digest = vi.spyOn(webcrypto.subtle, 'digest');
  const { digestStringAsync, getRandomBytes } = await load(['adapter-expo.ts']);
  expect(getRandomBytes(32).some((byte) => byte > 0)).toBe(true);
  await digestStringAsync('SHA-256', 'abc');
  expect(digest).toHaveBeenCalledOnce();
  expect(expoCrypto.getRandomValues).not.toHaveBeenCalled();
  expect(expoCrypto.digest).not.toHaveBeenCalled();
});

it.each([
  ['first', ['adapter-expo.ts', 'index.native.ts']],
  ['later', ['index.native.ts', 'adapter-expo.ts']],
])('uses both functions of expo-crypto when its adapter is imported %s', async (_, imports) => {
  const { digestStringAsync, getRandomBytes, getRandomValues, randomUUID } = await load(imports);
  expect(getRandomBytes(32).some((byte) => byte > 0)).toBe(true);
  expect(randomUUID()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const values = new Uint32Array(8);
  expect(getRandomValues(values)).toBe(values);
  expect(values.some((value) => value > 0xff_ff)).toBe(true);
  expect(await digestStringAsync('SHA-256', 'abc')).toBe(createHash('SHA-256').update('abc').digest('hex'));
  expect(expoCrypto.getRandomValues).toHaveBeenCalledTimes(3);
  expect(expoCrypto.digest).toHaveBeenCalledOnce();
});

it('uses the functions that an app registers', async () => {
  const { getRandomBytes, registerCrypto } = await load();
  registerCrypto({ getRandomValues: (values) => values.fill(7) });
  expect([...getRandomBytes(2)]).toEqual([7, 7]);
});
