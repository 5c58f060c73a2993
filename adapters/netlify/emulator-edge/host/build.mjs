// Builds the edge functions as Netlify does: with the command of netlify.toml, then with Netlify's own bundler.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { parse } = await import(pathToFileURL(tools.resolve('smol-toml')).href);
const { bundle } = await import(pathToFileURL(tools.resolve('@netlify/edge-bundler')).href);

const { build } = parse(readFileSync('netlify.toml', 'utf8'));
const project = process.cwd();
// The suite has already exported the app with the packed CLI.
writeFileSync('appkit', '#!/bin/sh\n[ "$1" = export ] && [ -f dist/server/index.js ]\n');
chmodSync('appkit', 0o755);
const PATH = [project, process.env.PATH].join(path.delimiter);
execFileSync('bash', ['-c', build.command], { stdio: 'inherit', env: { ...process.env, PATH } });

const output = path.resolve('.netlify/edge-functions-dist');
// The bundler has Deno write into the temporary folder, which Deno refuses below /dev, where a folder in memory is.
if (tmpdir().startsWith('/dev/')) {
  process.env.TMPDIR = mkdtempSync('/var/tmp/appkit-edge-');
  process.once('exit', () => rmSync(process.env.TMPDIR, { recursive: true, force: true }));
}
// To read a function's config, the bundler imports types from Netlify's network.
const { manifest } = await bundle([path.resolve(build.edge_functions)], output, [], {
  basePath: project,
  cacheDirectory: path.resolve('.netlify/cache'),
  importMapPaths: [path.resolve('host/no-types.json')],
});

const [{ asset }] = manifest.bundles;
const vendored = path.join(path.dirname(tools.resolve('@netlify/edge-bundler')), '../../deno/vendor/import_map.json');
const extract = ['run', '--allow-all', '--no-config', '--no-remote', `--import-map=${vendored}`, 'host/extract.mjs'];
execFileSync('deno', [...extract, path.join(output, asset), path.resolve('.netlify/edge')], { stdio: 'inherit' });
