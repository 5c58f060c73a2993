/**
 * Part of `npm run build`: puts each `adapters/<host>/template*`, and the description next to it, into appkit-server, where
 * `appkit init --host` finds them: `template` as `<host>`, `template-legacy` as `<host>-legacy`. And the examples that
 * `appkit init` makes a new app of into appkit.
 */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, replaceFiles } from './replace-files.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
// Not in lib/: an app on Cloudflare may upload the whole of that.
const TEMPLATES = path.join(REPOSITORY, 'runtime/templates');
const NEW_APPS = path.join(REPOSITORY, 'cli/appkit/templates');

const templates = new Map<string, Uint8Array>();
for await (const folder of glob('adapters/*/template{,-*}/', { cwd: REPOSITORY })) {
  const [, host = '', template = ''] = folder.split(path.sep);
  const from = path.join(REPOSITORY, 'adapters', host, template);
  if (!existsSync(`${from}.json`)) {
    console.error(`error: adapters/${host}/${template} has no description.`);
    console.error(`  Write adapters/${host}/${template}.json, as the other hosts have it.`);
    process.exit(1);
  }
  const name = template.replace('template', host);
  templates.set(`${name}.json`, await readFile(`${from}.json`));
  for (const file of await listFiles(from)) templates.set(path.join(name, file), await readFile(path.join(from, file)));
}
await replaceFiles(TEMPLATES, templates);

const newApps = new Map<string, Uint8Array>();
for (const name of ['minimal', 'full']) {
  const from = path.join(REPOSITORY, 'examples', name);
  const left = /^(?:node_modules|dist|\.appkit)[\\/]|^package-lock\.json$/;
  for (const file of (await listFiles(from)).filter((found) => !left.test(found))) {
    // npm packs no file of that name. `appkit init` gives it back.
    newApps.set(path.join(name, file === '.gitignore' ? 'gitignore' : file), await readFile(path.join(from, file)));
  }
}
await replaceFiles(NEW_APPS, newApps);
