import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, it } from 'vitest';

import { createProject } from '../fixtures/create-project.ts';
import { bundle } from './bundle.ts';

it('keeps nothing of a bundle that nobody has any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const projectRoot = await createProject({ 'app/a+api.ts': "export const GET = () => new Response('a');" });
  const options = { projectRoot, external: [], minify: false, strictFetch: false };
  const make = async (): Promise<readonly WeakRef<object>[]> => {
    const { chunks, files, problems } = await bundle(
      [{ file: 'app/a+api.ts', output: '_appkit/functions/a+api.js' }],
      options,
    );
    expect(problems).toEqual([]);
    return [chunks, files, ...chunks.values()].map((part) => new WeakRef(part));
  };
  const kept = await make();
  for (let round = 0; round < 20 && kept.some((part) => part.deref()); round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(kept.map((part) => part.deref())).toEqual(kept.map(() => undefined));
});
