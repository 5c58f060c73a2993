import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { parseSync } from 'rolldown/utils';

import type { ExternalUse } from '../packages/external-packages.ts';
import { replaceOutput } from './output-folder.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toPackageName } from '../packages/package-of.ts';
import { isInside, toProjectPath } from '../app/project-path.ts';
import { traceExternals } from '../packages/trace-externals.ts';
import { removeStaleWorkFolders, toRealOutput } from './work-folder.ts';

/** The inputs of a folder for Node. */
export interface NodeFolderOptions {
  /** The real path of the project. */
  projectRoot: string;
  /** The folder of the export, absolute. */
  dist: string;
  /** The file that starts the server, relative to the project. It finds the export in `dist` next to it. */
  entry: string;
  /** The folder to write, absolute. */
  to: string;
  /** Its `name` and `version` come from the project. */
  manifest: { name?: unknown; version?: unknown };
}

/** A file that marks a folder as ours, so that no other folder is replaced. */
export const NODE_FOLDER_MARK = '.written-by-appkit-deploy';

const DOCKERFILE = `FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --chown=node:node . .
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
`;

/** Private files that the app's folder may contain. */
const DOCKERIGNORE = `.env
.env.*
Dockerfile
.dockerignore
${NODE_FOLDER_MARK}
`;

/**
 * Writes a folder that Node runs without an installation: the server file of an app with what it imports, the export,
 * and a Dockerfile. An earlier folder is replaced once everything is written.
 *
 * @returns warnings, one sentence each.
 * @throws ExportError when something that the server file imports is not there.
 */
export async function writeNodeFolder({
  projectRoot,
  dist,
  entry,
  to,
  manifest,
}: NodeFolderOptions): Promise<string[]> {
  const { files, uses, problems } = await readServerFile(entry, projectRoot);
  const traced = await traceExternals(uses, { projectRoot, configFile: entry });
  const found = [...problems, ...traced.problems];
  if (found.length === 0) found.push(...findUncopied(uses, { entry, files: traced.files }));
  if (found.length > 0) throw new ExportError(found);
  const { name, version } = manifest;
  const own = { name, version, private: true, type: 'module', scripts: { start: `node ${entry}` } };
  await replaceOutput(
    to,
    async (folder) => {
      for (const file of files) await cp(path.join(projectRoot, file), path.join(folder, file));
      for (const { from, to: name } of traced.files) {
        const target = path.join(folder, name);
        await mkdir(path.dirname(target), { recursive: true });
        await cp(from, target);
      }
      await cp(dist, path.join(folder, 'dist'), { recursive: true });
      await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
      await writeFile(path.join(folder, 'Dockerfile'), `${DOCKERFILE}CMD ${JSON.stringify(['node', entry])}\n`);
      await writeFile(path.join(folder, '.dockerignore'), DOCKERIGNORE);
      await writeFile(path.join(folder, NODE_FOLDER_MARK), '');
    },
    { clear: true },
  );
  return removeStaleWorkFolders(await toRealOutput(to));
}

/** A package that lies behind a link to its `node_modules` is found, and then not its files. */
function findUncopied(
  uses: readonly ExternalUse[],
  { entry, files }: { entry: string; files: readonly { to: string }[] },
): Problem[] {
  const names = [...new Set(uses.map(({ specifier }) => toPackageName(specifier)))];
  return names
    .filter((name) => !files.some(({ to }) => to.startsWith(`node_modules/${name}/`)))
    .map((name) => ({
      file: entry,
      message: `It imports ${name}, whose files cannot be copied: its node_modules is a link.`,
      fix: `Run npm install ${name} in the project.`,
    }));
}

/** Reads which files of the project and which packages a server file imports. */
async function readServerFile(
  entry: string,
  projectRoot: string,
): Promise<{ files: string[]; uses: ExternalUse[]; problems: Problem[] }> {
  const files = new Set([entry]);
  const uses: ExternalUse[] = [];
  const problems: Problem[] = [];
  // Files that are found while the loop runs are read as well.
  for (const file of files) {
    const full = path.join(projectRoot, file);
    const source = await readFile(full, 'utf8').catch(() => undefined);
    if (source === undefined) {
      problems.push({ file, message: 'The server imports it, and it is not there.', fix: 'Correct the path.' });
      continue;
    }
    if (file.endsWith('.cjs')) {
      const message = 'The server imports it, and it is CommonJS, whose own imports are not followed.';
      problems.push({ file, message, fix: 'Write it as an ES module, with the extension .mjs.' });
    }
    if (!/\.m?js$/.test(file)) continue;
    for (const specifier of importsOf(source, file)) {
      if (isBuiltin(specifier)) continue;
      const target = path.resolve(path.dirname(full), specifier);
      if (!/^\.{0,2}\//.test(specifier)) uses.push({ specifier, kind: 'import' });
      else if (isInside(projectRoot, target)) files.add(toProjectPath(projectRoot, target));
      else {
        const message = `It imports ${specifier}, which is not in the project, and would not be where it is deployed.`;
        problems.push({ file, message, fix: 'Move it into the project.' });
      }
    }
  }
  return { files: [...files], uses, problems };
}

function importsOf(source: string, file: string): string[] {
  const { module } = parseSync(file, source);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, text] = /^(?:'([^']*)'|"([^"]*)")$/.exec(source.slice(start, end)) ?? [];
    return text === undefined ? [] : [text];
  });
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  );
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...passedOn, ...dynamic];
}
