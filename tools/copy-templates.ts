/**
 * Part of `npm run build`: puts each `adapters/<host>/template*`, and the description beside it, into appkit-server, where
 * `appkit init --host` finds them: `template` as `<host>`, `template-legacy` as `<host>-legacy`.
 */
import { existsSync } from 'node:fs';
import { cp, glob, rm } from 'node:fs/promises';
import path from 'node:path';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
// Not in lib/: an app on Cloudflare may upload the whole of that.
const TEMPLATES = path.join(REPOSITORY, 'runtime/templates');

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
