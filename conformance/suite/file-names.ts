import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { runCommand } from '../command.ts';
import type { Host } from '../host.ts';

const route = 'export const GET = () => new Response();\n';

/** The output of `appkit export` for an app with these files, which must be refused. */
async function refusalOf(host: Host, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-conformance-export-'));
  try {
    const app = { 'app.json': JSON.stringify({ web: { output: 'server' }, plugins: ['appkit-router'] }), ...files };
    for (const [name, text] of Object.entries(app)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const outcome = await runCommand([...host.local.cli, 'export', '-p', 'web'], folder).catch((error: Error) => error);
    if (!(outcome instanceof Error)) throw new Error(`The app was exported: ${outcome.stdout}`);
    return outcome.message;
  } finally {
    await rm(folder, { recursive: true });
  }
}

behaviour('refuses a route file with a platform extension', 'Server routes: File names, B13', async (host) => {
  const refusal = await refusalOf(host, { 'app/hello+api.web.ts': route });
  expect(refusal).toContain('app/hello+api.web.ts');
  expect(refusal).toContain('hello+api.ts');
});

behaviour('refuses two route files for one URL', 'B13', async (host) => {
  const refusal = await refusalOf(host, { 'app/hello+api.ts': route, 'app/(group)/hello+api.ts': route });
  expect(refusal).toContain('app/hello+api.ts');
  expect(refusal).toContain('app/(group)/hello+api.ts');
});
