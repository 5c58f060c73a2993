/**
 * Part of `npm run build`: puts each `adapters/<host>/template*`, and the description beside it, into appkit-server, where
 * `appkit init --host` finds them: `template` as `<host>`, `template-legacy` as `<host>-legacy`. And the examples that
 * `appkit init` makes a new app of into appkit.
 */
import { existsSync } from 'node:fs';
import { cp, glob, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
// Not in lib/: an app on Cloudflare may upload the whole of that.
const TEMPLATES = path.join(REPOSITORY, 'runtime/templates');
const NEW_APPS = path.join(REPOSITORY, 'cli/appkit/templates');

await rm(TEMPLATES, { recursive: true, force: true });
for await (const folder of glob('adapters/*/template{,-*}/', { cwd: REPOSITORY })) {
  const [, host = '', template = ''] = folder.split(path.sep);
  const from = path.join(REPOSITORY, 'adapters', host, template);
  if (!existsSync(`${from}.json`)) {
    console.error(`error: adapters/${host}/${template} has no description.`);
    console.error(`  Write adapters/${host}/${template}.json, as the other hosts have it.`);
    process.exit(1);
  }
  const into = path.join(TEMPLATES, template.replace('template', host));
  await cp(from, into, { recursive: true });
  await cp(`${from}.json`, `${into}.json`);
}

await rm(NEW_APPS, { recursive: true, force: true });
for (const name of ['minimal', 'full']) {
  const from = path.join(REPOSITORY, 'examples', name);
  const left = new Set(['node_modules', 'dist', '.appkit', 'package-lock.json'].map((made) => path.join(from, made)));
  const into = path.join(NEW_APPS, name);
  await cp(from, into, { recursive: true, filter: (file) => !left.has(file) });
  // npm packs no file of that name. `appkit init` gives it back.
  await rename(path.join(into, '.gitignore'), path.join(into, 'gitignore'));
}
