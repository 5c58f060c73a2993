import { createTemporaryFolder } from '../conformance/temporary-folder.ts';

/**
 * Gives the unit tests a temporary folder, which is removed when they end, in whatever way: an interrupted test removes
 * nothing itself.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await createTemporaryFolder('appkit-unit-');
  process.env['TMPDIR'] = folder.path;
  return async () => {
    await folder[Symbol.asyncDispose]();
  };
}
