import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serverEnvironment } from '../../conformance/command.ts';
import { installTools } from '../../conformance/hosts.ts';
import type { FoundHost } from '../../conformance/hosts.ts';
import type { ServerCommand } from '../../conformance/server-process.ts';
import { copyProject } from '../project.ts';
import { npmCommand, runCommand } from '../run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const READY = /Listening on (http:\/\/\S+)/;

/** A host that serves one HTML file for every path, as the guide describes. */
export type SinglePageHost = ServerCommand & { name: string };

/**
 * Exports an app as one HTML file, and writes the configuration from the pages guide for each host.
 *
 * @param options – `from` is an installed app with pages. nginx is not an npm package, so it is left out.
 */
export async function makeSinglePageHosts({
  from,
  into,
  hosts,
}: {
  from: string;
  into: string;
  hosts: readonly FoundHost[];
}): Promise<SinglePageHost[]> {
  copyProject(from, into);
  const onServers = [
    'greetings',
    'guestbook',
    'guestbook.tsx',
    'members',
    'sign-in+api.ts',
    '+middleware.ts',
    'hello+api.ts',
  ];
  for (const file of [...onServers.map((name) => `app/${name}`), 'dist'])
    await rm(path.join(into, file), { recursive: true });
  await writeFile(path.join(into, 'app.json'), '{ "web": { "output": "single" } }');
  await runCommand(['npm', 'run', 'build'], { cwd: into, env: serverEnvironment });
  await runCommand([...npmCommand(), 'install', '--prefer-offline', '--no-audit', 'express@5.3.0'], {
    cwd: into,
  });

  const rows = await readGuide();
  const project = async (name: string, files: Record<string, string>): Promise<string> => {
    const folder = path.join(into, 'hosts', name);
    await cp(path.join(into, 'dist'), path.join(folder, 'dist'), { recursive: true });
    await cp(path.join(into, 'package.json'), path.join(folder, 'package.json'));
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
    return folder;
  };
  const emulated = async (name: string, emulator: string, folder: string, command: ServerCommand['command']) => {
    const host = hosts.find((one) => one.emulator.name === emulator);
    if (!host) throw new Error(`Unknown emulator: ${emulator}.`);
    // Not the template for an app with routes: its configuration differs.
    for (const files of host.emulator.files.filter((one) => one !== 'template'))
      await cp(path.join(host.hostFolder, files), folder, { recursive: true });
    const env = { ...(await installTools(host)), PORT: '0', HOST: '127.0.0.1' };
    if (name === 'Vercel') {
      await runCommand(['node', 'host/build.mjs'], { cwd: folder, env });
      // The emulator looks for functions, which do not exist here.
      await mkdir(path.join(folder, '.vercel/output/functions'));
    }
    return { name, command, folder, env, ready: READY };
  };
  const own = async (name: string, code: string): Promise<SinglePageHost> => {
    const folder = await project(name, { 'server.mjs': code });
    return { name, command: ['node', 'server.mjs'], folder, env: serverEnvironment, ready: READY };
  };
  await mkdir(path.join(into, 'hosts'));
  const listen = `.listen(0, '127.0.0.1', function () { console.log('Listening on http://127.0.0.1:' + this.address().port); });`;
  return [
    await own('Express', `import express from 'express';\nconst app = express();\n${rows('Express')}\napp${listen}`),
    await own(
      'Node',
      `import { createServer } from 'node:http';\nimport { createStaticFiles } from 'appkit-server/static';\nconst files = createStaticFiles('dist/client');\n` +
        `createServer((request, response) => {\n${rows('Node')}\n})${listen}`,
    ),
    await emulated(
      'Netlify',
      'netlify-serve',
      await project('netlify', { 'netlify.toml': `${rows('Netlify')}\n[build]\npublish = "dist/client"\n` }),
      ['node', 'host/serve.mjs'],
    ),
    await emulated(
      'Vercel',
      'vercel',
      await project('vercel', {
        'vercel.json': `{ "framework": null, "buildCommand": "true", "outputDirectory": "dist/client", ${rows('Vercel')} }`,
      }),
      ['node', 'host/serve-output.mjs'],
    ),
    await emulated(
      'Cloudflare',
      'cloudflare',
      await project('cloudflare', {
        'wrangler.jsonc': `{ "name": "single", "compatibility_date": "2026-06-01", ${rows('Cloudflare')} }`,
        'serve-assets.mjs': SERVE_ASSETS,
      }),
      ['node', 'serve-assets.mjs'],
    ),
  ];
}

/** Reads each host's configuration from the table in the guide. */
async function readGuide(): Promise<(host: string) => string> {
  const guide = await readFile(path.join(REPOSITORY, 'docs/guide/pages.md'), 'utf8');
  const [, section = ''] = guide.split('\n## One HTML file for every path\n');
  return (host) => {
    const [, code] = new RegExp(`^\\| ${host} .*\\| \`([^|]+)\` +\\|$`, 'm').exec(section) ?? [];
    if (code === undefined) throw new Error(`docs/guide/pages.md does not say what ${host} needs.`);
    return code;
  };
}

/** Runs a configuration that has only assets in workerd, as wrangler reads it. */
const SERVE_ASSETS = `
import { createRequire } from 'node:module';
import path from 'node:path';
const requireTool = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { Miniflare } = requireTool('miniflare');
const { unstable_readConfig: readConfig } = requireTool('wrangler');
const { assets, compatibility_date: compatibilityDate } = readConfig({ config: 'wrangler.jsonc' }, { hideWarnings: true });
const miniflare = new Miniflare({
  host: '127.0.0.1',
  port: 0,
  cf: false,
  modules: true,
  script: 'export default { fetch: () => new Response("There is no Worker.", { status: 500 }) };',
  compatibilityDate,
  assets: { directory: path.resolve(assets.directory), assetConfig: { not_found_handling: assets.not_found_handling } },
});
console.log('Listening on ' + (await miniflare.ready).origin);
process.removeAllListeners('SIGTERM');
process.once('SIGTERM', () => miniflare.dispose());
`;
