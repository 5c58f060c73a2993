// Bundles the functions as Netlify's build does, with its own bundler and the settings of netlify.toml.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { zipFunctions } = await import(pathToFileURL(tools.resolve('@netlify/zip-it-and-ship-it')).href);
const { parse } = await import(pathToFileURL(tools.resolve('smol-toml')).href);

const { functions } = parse(readFileSync('netlify.toml', 'utf8'));
const project = process.cwd();
await zipFunctions(functions.directory, '.netlify/functions', {
  archiveFormat: 'none',
  basePath: project,
  manifest: '.netlify/functions/manifest.json',
  config: { '*': { includedFiles: functions.included_files, includedFilesBasePath: project } },
});
