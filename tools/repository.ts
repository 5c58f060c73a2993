import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES } from './pack.ts';

/** What a manifest says of where its source is. */
export interface Source {
  repository?: { type?: string; url?: string; directory?: string };
  homepage?: string;
  bugs?: { url?: string } | string;
}

const ROOT = path.resolve(import.meta.dirname, '..');
// A name that nobody can own (RFC 2606). It stands in the manifest of the repository until there is a public one.
const PLACEHOLDER_HOST = 'code.example';

/** The URL where people browse the repository: that of its own manifest, the one place where it is set. */
export function repositoryUrl(): string {
  const { repository } = readManifest('.');
  const [, url] = /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+)\.git$/.exec(repository?.url ?? '') ?? [];
  if (url === undefined)
    throw new Error('package.json: "repository.url" must look like git+https://host/owner/name.git.');
  return url;
}

/** Whether the URL is a placeholder still, so that nothing may be published. */
export function isPlaceholder(url: string): boolean {
  return new URL(url).host === PLACEHOLDER_HOST;
}

/** What the manifest of a package must say. */
export function expectedSource(url: string, folder: string): Required<Source> {
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  };
}

/** The team that CODEOWNERS names: of the owner of the repository, and no person. */
export function expectedTeam(url: string): string {
  return `@${new URL(url).pathname.split('/')[1]}/maintainers`;
}

/** Finds what disagrees with the repository's own manifest. */
export function findDisagreements(): string[] {
  const url = repositoryUrl();
  const manifests = PACKAGES.flatMap((folder) => compareSource(folder, readManifest(folder), url));
  const owners = readFileSync(path.join(ROOT, '.github/CODEOWNERS'), 'utf8');
  return [...manifests, ...compareOwners(owners, url)];
}

/** Compares the manifest of a package with what it must say. */
export function compareSource(folder: string, manifest: Source, url: string): string[] {
  return Object.entries(expectedSource(url, folder))
    .filter(([key, value]) => JSON.stringify(manifest[key as keyof Source]) !== JSON.stringify(value))
    .map(([key, value]) => `${folder}/package.json: set "${key}" to ${JSON.stringify(value)}.`);
}

/** Compares the lines of CODEOWNERS with the team. */
export function compareOwners(owners: string, url: string): string[] {
  const team = expectedTeam(url);
  const lines = owners.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines
    .filter((line) => line.trim().split(/\s+/).slice(1).join(' ') !== team)
    .map((line) => `.github/CODEOWNERS: "${line}" names another owner than ${team}, a team of the repository's owner.`);
}

function readManifest(folder: string): Source {
  return JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8')) as Source; // npm has read it
}
