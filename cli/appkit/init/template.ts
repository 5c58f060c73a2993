import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The files that host an app somewhere, which appkit-server provides. */
export interface Template extends Description {
  /** What `--host` calls it. */
  name: string;
  /** Where its files are. */
  folder: string;
}

/** What the JSON file next to a template contains. */
interface Description {
  /** What it is for, as shown in the list of hosts. */
  title: string;
  /** Packages its server needs, in the versions that conformance tests. */
  dependencies?: Record<string, string>;
  /** The same for packages that are only needed to deploy it. */
  devDependencies?: Record<string, string>;
  /** Commands to run once they are installed; the last one starts or deploys the app. */
  next: string[];
  /**
   * The folder whose files the host makes functions of, named without their extension: there, two files that differ in
   * it only are the same function.
   */
  functions?: string;
  /**
   * What stores the jobs of an app that has some, on a host without a configuration for them: `sqlite` in a file, or
   * PostgreSQL if the app uses it.
   */
  jobs?: 'sqlite';
  /** Its page of the guide, as a path in our repository. */
  guide: string;
}

const require = createRequire(import.meta.url);

/** Lists the templates by name. */
export function findTemplates(): Template[] {
  const root = path.join(path.dirname(require.resolve('appkit-server/package.json')), 'templates');
  const names = readdirSync(root).flatMap((file) => (file.endsWith('.json') ? [path.basename(file, '.json')] : []));
  return names.toSorted().map((name) => {
    const folder = path.join(root, name);
    return { name, folder, ...(JSON.parse(readFileSync(`${folder}.json`, 'utf8')) as Description) }; // ours, and tested
  });
}
