import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGES } from './pack.ts';

/** Reads the version of every published package, by name. */
export function readVersions(repository: string): Record<string, string> {
  return Object.fromEntries(
    PACKAGES.map((folder) => {
      const text = readFileSync(path.join(repository, folder, 'package.json'), 'utf8');
      const { name, version } = JSON.parse(text) as { name: string; version: string }; // npm has read it
      return [name, version];
    }),
  );
}

/**
 * Writes these versions into the dependencies of a manifest.
 *
 * @param text – the manifest, whose format is kept.
 */
export function withVersions(text: string, versions: Readonly<Record<string, string>>): string {
  return text.replace(/^( {4}"([\w@/-]+)": )"[\d.]+"/gm, (line, start: string, name: string) =>
    Object.hasOwn(versions, name) ? `${start}"${versions[name]}"` : line,
  );
}
