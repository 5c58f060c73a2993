// Runs what `wrangler deploy --dry-run --outdir <folder>` has written in miniflare, which starts workerd:
// node workerd.mjs <folder> <issuer> <user>
import { createRequire } from 'node:module';
import path from 'node:path';

const { Miniflare } = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'))('miniflare');
const [folder, issuer, user] = process.argv.slice(2);
const rootPath = path.resolve(folder);
const miniflare = new Miniflare({
  cf: false,
  compatibilityDate: '2026-06-01',
  rootPath,
  modulesRoot: rootPath,
  modules: [{ type: 'ESModule', path: path.join(rootPath, 'worker.js') }],
});
try {
  const response = await miniflare.dispatchFetch(`http://worker/?${new URLSearchParams({ issuer, user })}`);
  console.log(await response.text());
} finally {
  await miniflare.dispose();
}
