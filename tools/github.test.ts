import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findHosts } from '../conformance/hosts.ts';
import { runCommand } from './run-command.ts';

const root = path.join(import.meta.dirname, '..');
const files = globSync('.github/**/*.yml', { cwd: root }).toSorted();
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }; // npm has read it

interface Job {
  steps: { run?: string; uses?: string }[];
}

interface Form {
  name?: string;
  description?: string;
  body?: { type: string; id?: string; attributes?: { label?: string }; validations?: { required?: boolean } }[];
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function jobsOf(workflow: string): Record<string, Job> {
  return (parse(read(`.github/workflows/${workflow}.yml`)) as { jobs: Record<string, Job> }).jobs;
}

/** Every command line in a file, wherever it appears: including the scripts that are passed to an action. */
function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'string' && ['run', 'version', 'publish'].includes(key) ? [entry] : commandsIn(entry),
  );
}

/** The npm scripts that a command runs but that do not exist. */
function missingScripts(command: string): string[] {
  const names = [...command.matchAll(/npm (?:run|run-script)(?: --[\w-]+)* ([\w:-]+)/g)].map(([, name = '']) => name);
  return names.filter((name) => !Object.hasOwn(scripts, name));
}

describe('.github', () => {
  it.each(files)('%s is YAML', (file) => {
    expect(parse(read(file), { strict: true, uniqueKeys: true })).toBeTypeOf('object');
  });

  it('runs only scripts in package.json', () => {
    const commands = files.flatMap((file) => commandsIn(parse(read(file))));
    expect(commands).toContain('npm run check');
    expect(commands).toContain('npm run release');
    expect(commands.flatMap(missingScripts)).toEqual([]);
  });

  it('would find a script that does not exist', () => {
    expect(missingScripts('npm run --silent gone -- --host node')).toEqual(['gone']);
  });

  it('uses only actions of this repository that exist', () => {
    const used = files.flatMap((file) => [...read(file).matchAll(/uses: \.\/(\S+)/g)].map(([, folder = '']) => folder));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((folder) => !existsSync(path.join(root, folder, 'action.yml')))).toEqual([]);
  });

  it('checks each change, and plants faults once a week', () => {
    const jobs = Object.keys(jobsOf('ci'));
    expect(jobs).toEqual(expect.arrayContaining(['check', 'subjects', 'unit', 'conformance', 'attack']));
    expect(Object.keys(jobsOf('weekly'))).toContain('mutants');
  });

  it('gives the matrix every host, as one line of JSON', async () => {
    const output = await runCommand([process.execPath, 'tools/list-hosts.ts'], { cwd: root });
    const hosts = (await findHosts()).map(({ emulator }) => emulator.name);
    expect(hosts).toContain('cloudflare');
    expect(output).toBe(`${JSON.stringify(hosts)}\n`);
  });

  it('plants faults in one host of each adapter', async () => {
    const output = await runCommand([process.execPath, 'tools/list-hosts.ts', '--adapters'], { cwd: root });
    const hosts = JSON.parse(output) as string[];
    expect(hosts).toContain('express');
    expect(hosts).not.toContain('express-4');
  });

  it('has forms whose fields have labels, and ids of their own', () => {
    const forms = files.filter((file) => /ISSUE_TEMPLATE\/(?!config)/.test(file));
    expect(forms).toHaveLength(2);
    for (const file of forms) {
      const { name, description, body = [] } = parse(read(file)) as Form;
      expect([name, description]).not.toContain(undefined);
      const fields = body.filter(({ type }) => type !== 'markdown');
      expect(fields.length).toBeGreaterThan(0);
      expect(fields.every(({ id, attributes }) => id !== undefined && attributes?.label !== undefined)).toBe(true);
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    }
  });

  it('asks for the host with its version, and the version of appkit, in a bug report', () => {
    const { body = [] } = parse(read('.github/ISSUE_TEMPLATE/bug.yml')) as Form;
    const required = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
    expect(required).toEqual(expect.arrayContaining(['host', 'version']));
  });
});
