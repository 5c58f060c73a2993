import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** The packages that an entry loads at once, and those that it loads when needed. */
async function importsOf(entry: string): Promise<{ all: string[]; atOnce: string[]; later: string[] }> {
  const bundle = await rolldown({ input: path.join(import.meta.dirname, entry), external: /^[\w@]/ });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const atOnce = new Set<string>();
  const add = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk === undefined) atOnce.add(name);
    else chunk.imports.forEach(add);
  };
  add(output[0].fileName);
  const all = new Set(chunks.flatMap(({ imports }) => imports));
  return {
    all: [...all],
    atOnce: [...atOnce].toSorted(),
    later: [...all].filter((name) => name === 'oauth4webapi').toSorted(),
  };
}

it.each(['core.ts', 'dpop.ts'])('%s does not load oauth4webapi', async (entry) => {
  const { atOnce } = await importsOf(entry);
  expect(atOnce).toContain('appkit-crypto');
  expect(atOnce).not.toContain('oauth4webapi');
});

it('core.ts loads it when an id_token is to be checked', async () => {
  expect((await importsOf('core.ts')).later).toEqual(['oauth4webapi']);
});

it.each(['client-auth.ts', 'device.ts', 'introspect.ts', 'jar.ts', 'jarm.ts', 'par.ts', 'register.ts'])(
  '%s loads it',
  async (entry) => {
    expect((await importsOf(entry)).atOnce).toContain('oauth4webapi');
  },
);

it("uses jose only on servers, and never in an app's browser code", async () => {
  for (const entry of ['core.ts', 'index.ts', 'device.ts', 'dpop.ts', 'introspect.ts', 'par.ts', 'register.ts']) {
    expect([entry, (await importsOf(entry)).all]).toEqual([entry, expect.not.arrayContaining(['jose'])]);
  }
  expect((await importsOf('server.ts')).all).toContain('jose');
});

it('adds the code that signs with a client key only to bundles that import it', async () => {
  const refusal = 'does not stay secret in a page';
  const signs = async (entry: string): Promise<boolean> => {
    const bundle = await rolldown({
      input: path.join(import.meta.dirname, entry),
      external: /^(?![./])/,
      platform: 'browser',
    });
    const { output } = await bundle.generate({ format: 'esm' });
    await bundle.close();
    return output.some((part) => part.type === 'chunk' && part.code.includes(refusal));
  };
  for (const entry of ['core.ts', 'index.ts', 'dpop.ts', 'par.ts', 'jarm.ts', 'session.ts', 'use-session.ts']) {
    expect([entry, await signs(entry)]).toEqual([entry, false]);
  }
  for (const entry of ['client-auth.ts', 'jar.ts', 'server.ts'])
    expect([entry, await signs(entry)]).toEqual([entry, true]);
});
