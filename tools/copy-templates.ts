/**
 * Part of `npm run build`: copies each `adapters/<host>/template*`, and the description next to it, into appkit-server,
 * where `appkit init --host` finds them: `template` as `<host>`, `template-legacy` as `<host>-legacy`. Also copies the
 * examples from which `appkit init` makes a new app into appkit.
 */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, replaceFiles } from './replace-files.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
// Not in lib/: an app on Cloudflare may upload all of lib/.
const TEMPLATES = path.join(REPOSITORY, 'runtime/templates');
const NEW_APPS = path.join(REPOSITORY, 'cli/appkit/templates');

/** A new app runs on every host, and not every host has an engine for jobs. */
const ONLY_IN_EXAMPLE = ['app/contact.tsx', 'app/mail+job.ts', 'server/mailer.ts', 'test/mail.test.ts'].map((file) =>
  path.normalize(file),
);

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
  const present = (await listFiles(from)).filter((found) => !left.test(found) && !ONLY_IN_EXAMPLE.includes(found));
  for (const file of present) {
    const content = await readFile(path.join(from, file));
    // npm does not pack a file with this name. `appkit init` restores the name.
    const packed = path.join(name, file === '.gitignore' ? 'gitignore' : file);
    newApps.set(packed, file === 'README.md' ? withoutMarked(content) : content);
  }
}
await replaceFiles(NEW_APPS, newApps);

/** Removes what the README of an example says about them. */
function withoutMarked(readme: Buffer): Buffer {
  const marked = /<!-- only in the example -->.*?<!-- \/only in the example -->\n\n/gs;
  return Buffer.from(readme.toString().replaceAll(marked, ''));
}
