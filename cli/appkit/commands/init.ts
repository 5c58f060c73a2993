import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';
import { parseManifest } from '../init/package-manifest.ts';
import { planFiles, type PlannedFile } from '../init/plan-files.ts';
import { findTemplates, type Template } from '../init/template.ts';
import { onStdout } from '../report/style.ts';
import { formatTable } from '../report/table.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit init`, as commander reads them. */
export interface InitFlags {
  host?: string;
  list?: boolean;
  force?: boolean;
}

const WRONG_USAGE = 2;

/** Writes the files that host an app somewhere, and says what to do next. */
export async function initCommand(directory: string, { host, list = false, force = false }: InitFlags): Promise<void> {
  const templates = findTemplates();
  if (list) {
    console.log(listHosts(templates));
    return;
  }
  const template = await choose(templates, host);
  const root = projectRoot(directory);
  const files = planFiles(template.folder, root);
  const install = installCommands(template, root);
  if (!force) assertNoConflicts(files);
  for (const file of files) write(root, file);
  const app = ['app', 'src/app'].some((folder) => existsSync(path.join(root, folder)))
    ? []
    : ['# there are no routes here yet: create app/hello+api.ts'];
  const commands = [...(root === process.cwd() ? [] : [`cd ${directory}`]), ...app, ...install, ...template.next];
  printResult(template, { files, commands });
}

async function choose(templates: readonly Template[], host: string | undefined): Promise<Template> {
  const template = templates.find(({ name }) => name === host);
  if (template) return template;
  const hosts = `The hosts are:\n\n${listHosts(templates)}`;
  if (host === undefined)
    throw new CommandError('No host is named.', `Add --host <name>. ${hosts}`, { exitCode: WRONG_USAGE });
  // Only now: it loads the bundler.
  const { findNearestName } = await import('appkit-build');
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
    `Already there, and not as the template has it: ${conflicts.join(', ')}. Nothing was written.`,
    'Move away what you need of it, or replace all of it with --force.',
  );
}

function write(root: string, { path: file, content }: PlannedFile): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function printResult(
  { name, guide }: Template,
  { files, commands }: { files: readonly PlannedFile[]; commands: readonly string[] },
): void {
  console.log(`${onStdout('green', 'Written')} for ${name}:`);
  for (const { path: file, change } of files) console.log(`  ${file}${change === undefined ? '' : ` (${change})`}`);
  console.log('\nNext:');
  for (const command of commands) console.log(`  ${command}`);
  console.log(`\nMore about this host: ${guide} in the repository of appkit.`);
}

/** What installs the packages that the app does not list yet. */
function installCommands({ dependencies, devDependencies }: Template, root: string): string[] {
  const present = new Set(listedPackages(root));
  const toCommand = (command: string, packages: Record<string, string> = {}): string[] => {
    const missing = Object.entries(packages).filter(([name]) => !present.has(name));
    return missing.length === 0 ? [] : [[command, ...missing.map((entry) => entry.join('@'))].join(' ')];
  };
  return [
    ...missingOwn(present),
    ...toCommand('npm install', dependencies),
    ...toCommand('npm install --save-dev', devDependencies),
  ];
}

// No command: until they are published, those names belong to nobody or to others in the npm registry.
function missingOwn(present: ReadonlySet<string>): string[] {
  const missing = ['appkit', 'appkit-server'].filter((name) => !present.has(name));
  return missing.length === 0
    ? []
    : [`# add ${missing.join(' and ')} to package.json, by "In your own app" of appkit's README`];
}

function listedPackages(root: string): string[] {
  const file = path.join(root, 'package.json');
  if (!existsSync(file)) return [];
  const { dependencies, devDependencies } = parseManifest(readFileSync(file, 'utf8'));
  return [dependencies, devDependencies].flatMap((packages) => Object.keys(packages ?? {}));
}
