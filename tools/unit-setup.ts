import { createTemporaryFolder } from '../conformance/temporary-folder.ts';

/**
 * Gives the unit tests a temporary folder, which is removed at their end, however they end: a test that is broken off removes
 * nothing itself.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await createTemporaryFolder('appkit-unit-');
  process.env['TMPDIR'] = folder.path;
  return async () => {
    await folder[Symbol.asyncDispose]();
  };
}
