import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDeployHosts, loadDeployHost } from '../adapters/_deploy/index.ts';

const root = path.join(import.meta.dirname, '..');
const descriptions = globSync('adapters/*/template{,-*}.json', { cwd: root });

interface Description {
  title: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  next: string[];
  guide: string;
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as T; // a file of ours
}

describe('what `appkit init` says of a template', () => {
  it('exists for several templates', () => {
    expect(descriptions).toContain(path.join('adapters', 'vercel', 'template-legacy.json'));
  });

  it.each(descriptions)('is complete, and its files exist: %s', (file) => {
    const { title, next, guide } = read<Description>(file);
    expect([title, ...next]).not.toContain('');
    expect(next.length).toBeGreaterThan(0);
    expect(existsSync(path.join(root, guide)), guide).toBe(true);
    expect(existsSync(path.join(root, file.replace(/\.json$/, '')))).toBe(true);
  });

  it.each(descriptions)('has the versions named by its page of the guide and the README: %s', (file) => {
    const { dependencies, devDependencies, guide } = read<Description>(file);
    const pages = ['README.md', guide].map((page) => readFileSync(path.join(root, page), 'utf8'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(pages.at(-1)).toContain(`${name}@${version}`);
      for (const page of pages) expect([version]).toEqual(expect.arrayContaining(versionsIn(page, name)));
    }
  });

  it.each(descriptions)('names the tool versions that conformance runs: %s', (file) => {
    const { devDependencies = {} } = read<Description>(file);
    const tools = globSync(path.join(path.dirname(file), 'tools*/package.json'), { cwd: root });
    const versions = tools.map((manifest) => read<{ dependencies: Record<string, string> }>(manifest).dependencies);
    expect(Object.assign({}, ...versions)).toMatchObject(devDependencies);
  });
});

/** Each version of a package that a page names, once. */
function versionsIn(page: string, name: string): string[] {
  const found = page.matchAll(new RegExp(`(?<![\\w/-])${RegExp.escape(name)}@(\\d[\\w.-]*\\w)`, 'g'));
  return [...new Set([...found].map(([, version = '']) => version))];
}

describe('the tool of a host that `appkit deploy` uses', () => {
  it.each(listDeployHosts())('has the version that conformance runs and the guide names: %s', async (host) => {
    const { tool } = (await loadDeployHost(host)) ?? {};
    const manifests = globSync(`adapters/${host}/tools*/package.json`, { cwd: root });
    const versions = manifests.map((file) => read<{ dependencies: Record<string, string> }>(file).dependencies);
    expect(Object.assign({}, ...versions)).toMatchObject({ [tool?.package ?? '']: tool?.version });
    expect(readFileSync(path.join(root, 'docs/guide/deploy.md'), 'utf8')).toContain(
      `${tool?.package}@${tool?.version}`,
    );
  });
});

describe('what `appkit init` makes a new app of', () => {
  type Packages = Record<string, string>;
  type Manifest = { name: string; version: string; dependencies: Packages; devDependencies: Packages };
  const ours = ['runtime', 'cli/appkit', 'router'].map((folder) => read<Manifest>(`${folder}/package.json`));
  const known: Packages = {
    ...read<Manifest>('package.json').devDependencies,
    ...read<Manifest>('router/package.json').devDependencies,
    ...read<Manifest>('runtime/package.json').devDependencies,
    ...Object.fromEntries(ours.map(({ name, version }) => [name, version])),
  };

  it.each(['minimal', 'full'])('has the versions that are tested here: %s', (example) => {
    const { dependencies, devDependencies } = read<Manifest>(`examples/${example}/package.json`);
    const packages = { ...dependencies, ...devDependencies };
    expect(packages).toHaveProperty('appkit-cli');
    expect(known).toMatchObject(packages);
  });
});
