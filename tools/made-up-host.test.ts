import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as deploy from '../adapters/_deploy/index.ts';
import type * as bun from '../adapters/bun/emulator.ts';
import type * as attackedHosts from '../attack/attacked-hosts.ts';
import type * as hosts from '../conformance/hosts.ts';
import { hostsPage } from '../conformance/hosts-table.ts';
import type * as adapters from './adapters.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const SOURCES = ['.oxlintrc.json', 'package.json', 'adapters', 'attack', 'conformance', 'examples', 'tools'];
const PACKAGES = { 'appkit-server': 'runtime', 'appkit-cli': 'cli/appkit' };

// A copy of the repository with one more host folder. Nothing else in it is changed.
let root: string;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'appkit-made-up-'));
  for (const name of SOURCES) copy(name);
  for (const folder of Object.values(PACKAGES)) copy(folder);
  linkPackages();
  // Ignore rules of an outer repository must not apply here.
  run('git', 'init', '--quiet');
  addHost('made-up', 'bun');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function copy(name: string): void {
  // Vite would follow a tsconfig.json to packages that are not copied.
  const left = ['node_modules', 'dist', '.cache', 'tsconfig.json'];
  const filter = (file: string): boolean => !left.includes(path.basename(file));
  cpSync(path.join(REPOSITORY, name), path.join(root, name), { recursive: true, filter });
}

/** Gives the copy all packages of the repository, and its own copies of the two packages that contain hosts. */
function linkPackages(): void {
  mkdirSync(path.join(root, 'node_modules'));
  for (const name of readdirSync(path.join(REPOSITORY, 'node_modules'))) {
    const own = (PACKAGES as Record<string, string>)[name];
    const target = own === undefined ? path.join(REPOSITORY, 'node_modules', name) : path.join(root, own);
    symlinkSync(target, path.join(root, 'node_modules', name));
  }
  const ofCli = 'cli/appkit/node_modules';
  if (existsSync(path.join(REPOSITORY, ofCli))) symlinkSync(path.join(REPOSITORY, ofCli), path.join(root, ofCli));
}

/** Writes the folder of a host that resembles another one, and that `appkit deploy` knows. */
function addHost(name: string, like: string): void {
  const folder = path.join(root, 'adapters', name);
  cpSync(path.join(root, 'adapters', like), folder, { recursive: true });
  for (const file of ['emulator.ts', 'template.json', 'template/server.mjs']) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const renamed = text.replaceAll(`adapter/${like}`, `adapter/${name}`).replace(`name: '${like}'`, `name: '${name}'`);
    writeFileSync(path.join(folder, file), renamed.replace('"title": "', '"title": "Made up, '));
  }
  writeFileSync(path.join(folder, 'deploy.ts'), "export const deployment: { title: string } = { title: 'Made up' };\n");
}

function run(command: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function load<T>(file: string): Promise<T> {
  return import(pathToFileURL(path.join(root, file)).href) as Promise<T>;
}

describe('a host whose folder was added', () => {
  it('must follow the import rules', () => {
    const planted = 'adapters/made-up/planted.ts';
    const lint = (): ReturnType<typeof run> => run('oxlint', '--deny-warnings', 'adapters/made-up');
    expect(lint()).toMatchObject({ status: 0 });
    writeFileSync(path.join(root, planted), "export { createRequestHandler } from '../node/index.ts';\n");
    expect(lint().output).toContain('An adapter imports runtime/host.ts');
    rmSync(path.join(root, planted));
  });

  it('has goals for its size', async () => {
    const { listHosts, readSizeGoals } = await load<typeof adapters>('tools/adapters.ts');
    expect(listHosts()).toContain('made-up');
    expect(readSizeGoals('made-up')).toEqual({ limit: expect.any(Number), goal: expect.any(Number) });
    rmSync(path.join(root, 'adapters/made-up/size.json'));
    expect(() => readSizeGoals('made-up')).toThrow('adapters/made-up/size.json is missing.');
  });

  it('is offered by appkit init, which writes its template', () => {
    expect(run(process.execPath, 'tools/copy-templates.ts')).toEqual({ status: 0, output: '' });
    const appkit = path.join(root, 'cli/appkit/bin/appkit.js');
    expect(run(process.execPath, appkit, 'init', '--list').output).toMatch(/^ *made-up +Made up, Bun/m);
    mkdirSync(path.join(root, 'scratch/app'), { recursive: true });
    expect(run(process.execPath, appkit, 'init', 'scratch', '--host', 'made-up')).toMatchObject({ status: 0 });
    const server = readFileSync(path.join(root, 'scratch/server.mjs'), 'utf8');
    expect(server).toContain('appkit-server/adapter/made-up');
  });

  it('is deployed to by its own deploy.ts', async () => {
    const { listDeployHosts, loadDeployHost } = await load<typeof deploy>('adapters/_deploy/index.ts');
    expect(listDeployHosts()).toContain('made-up');
    expect(await loadDeployHost('made-up')).toEqual({ title: 'Made up' });
  });

  it('is a host of conformance, a column of docs/hosts.md and a job of the workflow', async () => {
    const { findHosts } = await load<typeof hosts>('conformance/hosts.ts');
    const found = await findHosts();
    expect(found.map(({ emulator }) => emulator.name)).toContain('made-up');
    const behaviours = [{ topic: 'routing', name: 'is shown', source: 'B1', state: 'passed' as const }];
    const page = hostsPage(found.map(({ emulator }) => ({ emulator, behaviours, problems: [] })));
    expect(page).toMatch(/^\| Behaviour \| Source \|.* made-up \|/m);
    for (const flags of [[], ['--adapters']]) {
      const { output } = run(process.execPath, 'tools/list-hosts.ts', ...flags);
      expect(JSON.parse(output)).toContain('made-up');
    }
  });

  it('is attacked as its emulator.ts defines', async () => {
    const { findAttackedHosts } = await load<typeof attackedHosts>('attack/attacked-hosts.ts');
    const { emulators } = await load<typeof bun>('adapters/made-up/emulator.ts');
    expect(await findAttackedHosts()).toContainEqual({ name: 'made-up', plan: emulators[0]?.attack });
  });
});
