import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES } from './pack.ts';

/** What a manifest says about the location of its source. */
export interface Source {
  repository?: { type?: string; url?: string; directory?: string };
  homepage?: string;
  bugs?: { url?: string } | string;
}

const ROOT = path.resolve(import.meta.dirname, '..');
// A name that nobody can own (RFC 2606). The repository's manifest contains it until a public one exists.
const PLACEHOLDER_HOST = 'code.example';

/** The URL where the repository can be browsed, from its own manifest, the only place where it is set. */
export function repositoryUrl(): string {
  const { repository } = readManifest('.');
  const [, url] = /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+)\.git$/.exec(repository?.url ?? '') ?? [];
  if (url === undefined)
    throw new Error('package.json: "repository.url" must look like git+https://host/owner/name.git.');
  return url;
}

/** Whether the URL is still a placeholder, so that nothing may be published. */
export function isPlaceholder(url: string): boolean {
  return new URL(url).host === PLACEHOLDER_HOST;
}

/** The fields that the manifest of a package must have. */
export function expectedSource(url: string, folder: string): Required<Source> {
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
  };
}

/** The team that CODEOWNERS names: a team of the repository's owner, not a person. */
export function expectedTeam(url: string): string {
  return `@${new URL(url).pathname.split('/')[1]}/maintainers`;
}

/** Finds whatever disagrees with the repository's own manifest. */
export function findDisagreements(): string[] {
  const url = repositoryUrl();
  const manifests = PACKAGES.flatMap((folder) => compareSource(folder, readManifest(folder), url));
  const owners = readFileSync(path.join(ROOT, '.github/CODEOWNERS'), 'utf8');
  return [...manifests, ...compareOwners(owners, url)];
}

/** Compares the manifest of a package with the fields it must have. */
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
