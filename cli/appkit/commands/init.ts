import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNearestName } from 'appkit-build/problem';
import { CommandError, WRONG_USAGE } from '../command-error.ts';
import { fillForJobs } from '../deploy/jobs-hosts.ts';
import { assertWritableFolder } from '../init/assert-writable.ts';
import { parseManifest } from '../init/package-manifest.ts';
import type { Manifest } from '../init/package-manifest.ts';
import { findPackageManager, toCommandOf } from '../init/package-manager.ts';
import type { PackageManager } from '../init/package-manager.ts';
import { readNewApp } from '../init/new-app.ts';
import { changeFiles, createForFramework } from '../init/for-framework.ts';
import type { ForFramework } from '../init/for-framework.ts';
import { planFiles, readExisting, readTemplate } from '../init/plan-files.ts';
import type { PlannedFile } from '../init/plan-files.ts';
import { assertNoSameFunctions } from '../init/same-functions.ts';
import { findTemplates } from '../init/template.ts';
import type { Template } from '../init/template.ts';
import { quoteForShell } from '../report/quote.ts';
import { onStdout } from '../report/style.ts';
import { formatTable } from '../report/table.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit init`, as commander reads them. */
export interface InitFlags {
  host?: string;
  minimal?: boolean;
  list?: boolean;
  force?: boolean;
  from?: string;
}

/** Creates a new app, or writes the files that host an app somewhere, and says what to do next. */
export async function initCommand(directory: string, flags: InitFlags): Promise<void> {
  const { host, minimal = false, list = false, force = false } = flags;
  const templates = findTemplates();
  if (list) console.log(listHosts(templates));
  else if (host === undefined) makeApp(directory, { kind: minimal ? 'minimal' : 'full', force, templates });
  else await hostApp(directory, { template: await choose(templates, host), force, from: flags.from });
}

function makeApp(
  directory: string,
  { kind, force, templates }: { kind: 'minimal' | 'full'; force: boolean; templates: readonly Template[] },
): void {
  const root = path.resolve(directory);
  if (!force && hasApp(root)) {
    const fix = `Name another folder for a new app, or add --host <name> to host this one. The hosts are:\n\n`;
    throw new CommandError('There is already an app here.', fix + listHosts(templates), { exitCode: WRONG_USAGE });
  }
  assertWritableFolder(root);
  const listed = new Set(listedPackages(root));
  const manager = findPackageManager(root);
  const files = planFiles(readNewApp(kind, root), root);
  if (!force) assertNoConflicts(files);
  for (const file of files) write(root, file);
  const own = listedPackages(root).filter((name) => name.startsWith('appkit'));
  const commands = [
    ...missingOwn(own.filter((name) => !listed.has(name))),
    'npm install',
    startsApp(root) ? 'npm start' : 'npx appkit start',
    'npx appkit init --host <name> # to put it on a host; --list names them',
  ];
  console.log(`${onStdout('green', 'Written')}: a new app, ${kind === 'full' ? 'with pages' : 'of server routes'}.`);
  printFiles(files);
  printNext(directory, { commands, manager });
}

async function hostApp(
  directory: string,
  { template, force, from }: { template: Template; force: boolean; from: string | undefined },
): Promise<void> {
  const root = projectRoot(directory);
  const change: ForFramework = from === undefined ? (text) => text : createForFramework(from);
  const changed = changeFiles(readTemplate(template.folder), change);
  const filled =
    from === undefined
      ? await fillForJobs(changed, { root, packages: listedPackages(root), engine: template.jobs })
      : { files: changed, commands: [] };
  const files = planFiles(filled.files, root);
  assertNoSameFunctions(root, { files, template });
  const install = installCommands(template, root);
  if (!force) assertNoConflicts(files);
  for (const file of files) write(root, file);
  const app = hasApp(root) || from !== undefined ? [] : ['# there are no routes here yet: create app/hello+api.ts'];
  console.log(`${onStdout('green', 'Written')} for ${template.name}:`);
  printFiles(files);
  printNext(directory, {
    commands: [...app, ...install, ...filled.commands, ...template.next.map(change)],
    manager: findPackageManager(root),
  });
  console.log(`\nMore about this host: ${template.guide} in the repository of appkit.`);
}

function hasApp(root: string): boolean {
  return ['app', 'src/app'].some((folder) => existsSync(path.join(root, folder)));
}

async function choose(templates: readonly Template[], host: string): Promise<Template> {
  const template = templates.find(({ name }) => name === host);
  if (template) return template;
  const hosts = `The hosts are:\n\n${listHosts(templates)}`;
  const nearest = findNearestName(
    host,
    templates.map(({ name }) => name),
  );
  const fix = nearest === undefined ? hosts : `Did you mean ${nearest}? ${hosts}`;
  throw new CommandError(`There is no host ${host}.`, fix, { exitCode: WRONG_USAGE });
}

function listHosts(templates: readonly Template[]): string {
  return formatTable(
    [{ heading: 'Host' }, { heading: 'What it is' }],
    templates.map(({ name, title }) => [name, title]),
  );
}

function assertNoConflicts(files: readonly PlannedFile[]): void {
  const conflicts = files.flatMap(({ conflict }) => conflict ?? []);
  if (conflicts.length === 0) return;
  throw new CommandError(
    `These files exist and differ from the template: ${conflicts.join(', ')}. Nothing was written.`,
    'Move away what you need, or replace all of them with --force.',
  );
}

function write(root: string, { path: file, content, change }: PlannedFile): void {
  if (change === 'as it was') return;
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function printFiles(files: readonly PlannedFile[]): void {
  for (const { path: file, change } of files) console.log(`  ${file}${change === undefined ? '' : ` (${change})`}`);
}

/** @param next – commands for npm, which are printed for the package manager of the app. */
function printNext(
  directory: string,
  { commands, manager }: { commands: readonly string[]; manager: PackageManager },
): void {
  const enter = path.resolve(directory) === process.cwd() ? [] : [`cd ${quoteForShell(directory)}`];
  console.log('\nNext:');
  for (const command of enter) console.log(`  ${command}`);
  for (const command of commands) console.log(`  ${toCommandOf(manager, command)}`);
}

/** The commands that install the packages missing from the app's package.json. */
function installCommands({ dependencies, devDependencies }: Template, root: string): string[] {
  const present = new Set(listedPackages(root));
  const toCommand = (command: string, packages: Record<string, string> = {}): string[] => {
    const missing = Object.entries(packages).filter(([name]) => !present.has(name));
    return missing.length === 0 ? [] : [[command, ...missing.map((entry) => entry.join('@'))].join(' ')];
  };
  return [
    ...missingOwn(['appkit-cli', 'appkit-server'].filter((name) => !present.has(name))),
    ...toCommand('npm install', dependencies),
    ...toCommand('npm install --save-dev', devDependencies),
  ];
}

// No command: until our packages are published, their names are free or belong to others in the npm registry.
function missingOwn(missing: readonly string[]): string[] {
  return missing.length === 0
    ? []
    : [`# add ${new Intl.ListFormat('en').format(missing)} to package.json, by "In your own app" of appkit's README`];
}

/** An existing package.json keeps its scripts. */
function startsApp(root: string): boolean {
  const { scripts } = manifestOf(root);
  return Object.entries(scripts ?? {}).some(
    ([name, script]) => name === 'start' && String(script).includes('appkit start'),
  );
}

function listedPackages(root: string): string[] {
  const { dependencies, devDependencies } = manifestOf(root);
  return [dependencies, devDependencies].flatMap((packages) => Object.keys(packages ?? {}));
}

function manifestOf(root: string): Manifest {
  const existing = readExisting(root, 'package.json');
  return existing === undefined ? {} : parseManifest(existing.toString());
}
