/** `npm run new -- <folder>`: writes a new app with our packages in its `vendor/`, and installs it. Expects compiled packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quoteForShell } from '../cli/appkit/report/quote.ts';
import { vendorPackages } from './new-app/vendor-packages.ts';
import { npmCommand, runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';

const CLI = path.resolve(import.meta.dirname, '../cli/appkit/bin/appkit.js');

const usage = `npm run new -- <folder> [options]

  --minimal  an app with only server routes. Default: with pages`;

await runMain('npm run new', main);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minimal: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [directory, ...others] = positionals;
  if (directory === undefined || others.length > 0)
    throw new Error('Name one folder for the new app, such as: npm run new -- ../my-app');
  // npm runs scripts in the root of the repository, wherever it was called.
  const from = process.env['INIT_CWD'] ?? process.cwd();
  await makeApp(path.resolve(from, directory), { shown: directory, isMinimal: values.minimal });
  return 0;
}

async function makeApp(project: string, { shown, isMinimal }: { shown: string; isMinimal: boolean }): Promise<void> {
  if (existsSync(project) && readdirSync(project).length > 0)
    throw new Error(`${shown} is not empty. Nothing was written. Name a folder that does not exist yet.`);
  const enter = `cd ${quoteForShell(shown)}`;

  console.log('Packing the packages …');
  const kind = isMinimal ? ['--minimal'] : [];
  await runCommand([process.execPath, CLI, 'init', project, ...kind], { cwd: import.meta.dirname });
  await vendorPackages(project);
  console.log(`Installing ${shown} …`);
  await runCommand([...npmCommand(), 'install', '--no-audit', '--no-fund'], { cwd: project }).catch((error: Error) => {
    throw new Error(`${error.message}\nThe app is written. Once npm can install it: ${enter} && npm install`);
  });
  console.log(invitation({ project, enter, isMinimal }));
}

function invitation({ project, enter, isMinimal }: { project: string; enter: string; isMinimal: boolean }): string {
  return [
    '',
    `Written: a new app, ${isMinimal ? 'of server routes' : 'with pages'}. Next:`,
    '',
    `  ${enter}`,
    '  npm start                       # runs it while you write it',
    '  npm run build && npm run serve  # serves what hosts run',
    '  npx appkit init --host <name>   # writes the files of a host; --list names the hosts',
    ...needsNewerNode(project),
  ].join('\n');
}

/** This script runs on the repository's Node, the app on its user's. */
function needsNewerNode(project: string): string[] {
  const [, theirs] = /\bnode\/v(\S+)/.exec(process.env['npm_config_user_agent'] ?? '') ?? [];
  const manifest = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    engines?: { node?: string };
  }; // just written
  const [, needed] = /^>=([\d.]+)$/.exec(manifest.engines?.node ?? '') ?? [];
  if (!theirs || !needed || theirs.localeCompare(needed, 'en', { numeric: true }) >= 0) return [];
  return ['', `Your Node is ${theirs}. The app needs ${needed} or later: install it from https://nodejs.org first.`];
}
