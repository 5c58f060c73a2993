import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { findProject } from './find-project.ts';
import type { Project, ProjectOptions } from './find-project.ts';
import { formats } from './formats.ts';
import { URL_TYPE_ROLES } from './scheme-file.ts';
import type { EditedText, SchemeDetails, SchemeFileFormat, SchemeFileKind } from './scheme-file.ts';
import { readSource } from './source-file.ts';
import type { SourceFile } from './source-file.ts';
import { UriSchemeError } from './uri-scheme-error.ts';
import { validateScheme } from './validate-scheme.ts';
import type { SchemeWarning } from './warning.ts';
import { writeFiles } from './write-files.ts';

/** How to remove a scheme. */
export interface RemoveSchemeOptions extends ProjectOptions {
  /** Report what would change, and write nothing. Default: `false`. */
  dryRun?: boolean;
}

/** How to add a scheme. */
export interface AddSchemeOptions extends RemoveSchemeOptions, SchemeDetails {}

/** The result for one file. */
export interface FileChange {
  kind: SchemeFileKind;
  /** Relative to the project. */
  file: string;
  /** Whether it was, or with `dryRun` would be, changed. */
  changed: boolean;
  /** The change as a unified diff; '' when there is none. */
  diff: string;
}

/** The result for a project. */
export interface SchemeChange {
  /** The scheme as written to the files, in lower case. */
  scheme: string;
  dryRun: boolean;
  /** Whether any file was, or with `dryRun` would be, changed. */
  changed: boolean;
  /** All files that were checked. */
  files: FileChange[];
  warnings: SchemeWarning[];
}

/**
 * Adds a scheme to `Info.plist`, `AndroidManifest.xml` and `app.json`: to those that the project has, and to all of
 * them or none. A file that already has the scheme is not changed.
 *
 * @throws UriSchemeError when the scheme or a file is invalid. No file is changed then.
 */
export async function addScheme(scheme: string, options: AddSchemeOptions = {}): Promise<SchemeChange> {
  const { scheme: added, warnings } = validateScheme(scheme);
  const details = detailsOf(options);
  const project = findProject(options);
  if (Object.keys(details).length > 0 && !project.files.some(({ kind }) => kind === 'info-plist')) {
    const message = 'A name and a role belong to an Info.plist, and none is selected.';
    throw new UriSchemeError('ERR_OPTION_INVALID', message, {
      fix: 'Leave them out, or name the file with --info-path.',
    });
  }
  warnings.push(...adviceOnConfig(project, `Add there: scheme: '${added}'`));
  if (project.files.every(({ kind }) => kind === 'app-config')) {
    const message = 'There are no native projects: the scheme is in the app once they are generated and built again.';
    warnings.push({ code: 'no-native-projects', message });
  }
  return await change(project, added, warnings, options, (format, source) => format.add(source, added, details));
}

/**
 * Removes a scheme from the files to which {@link addScheme} adds one, with entries that contained nothing else. A
 * scheme that an app cannot have is removed too if a file contains it.
 *
 * @throws UriSchemeError when the scheme does not exist and is one that an app cannot have, when a file is invalid,
 * and when the scheme is in an intent filter for links of a website. No file is changed then.
 */
export async function removeScheme(scheme: string, options: RemoveSchemeOptions = {}): Promise<SchemeChange> {
  const project = findProject(options);
  const removed = scheme.toLowerCase();
  const warnings = adviceOnConfig(project, `Take ${removed} out of scheme there.`);
  // As typed too: a scheme in upper case may have been written by hand.
  const names = [...new Set([removed, scheme])];
  const result = await change(project, removed, warnings, options, (format, source) => format.remove(source, names));
  if (!result.changed) validateScheme(scheme);
  return result;
}

async function change(
  project: Project,
  scheme: string,
  warnings: SchemeWarning[],
  { dryRun = false }: RemoveSchemeOptions,
  edit: (format: SchemeFileFormat, source: SourceFile) => EditedText,
): Promise<SchemeChange> {
  const edits: (SourceFile & { kind: SchemeFileKind; edited: EditedText })[] = [];
  for (const { kind, file } of project.files) {
    const source = await readSource(project.root, file);
    edits.push({ ...source, kind, edited: edit(formats[kind], source) });
  }
  const changed = edits.filter(({ text, edited }) => edited.text !== text);
  if (!dryRun) await writeFiles(changed.map(({ path, file, edited }) => ({ path, file, text: edited.text })));
  return {
    scheme,
    dryRun,
    changed: changed.length > 0,
    files: edits.map(({ kind, file, text, edited }) => ({
      kind,
      file,
      changed: edited.text !== text,
      diff: edited.text === text ? '' : toDiff(file, text, edited.text),
    })),
    warnings: [...warnings, ...project.warnings, ...edits.flatMap(({ edited }) => edited.warnings)],
  };
}

function detailsOf({ name, role }: SchemeDetails): SchemeDetails {
  if (role !== undefined && !URL_TYPE_ROLES.includes(role)) {
    const fix = `The roles of iOS are ${URL_TYPE_ROLES.join(', ')}.`;
    throw new UriSchemeError('ERR_OPTION_INVALID', `There is no role ${role}.`, { fix });
  }
  // oxlint-disable-next-line no-control-regex -- XML does not allow these
  if (name !== undefined && /[\u0000-\u001F]/.test(name)) {
    const fix = 'Give one line of text, such as com.example.app.';
    throw new UriSchemeError('ERR_OPTION_INVALID', 'The name contains a control character.', { fix });
  }
  return { ...(name !== undefined && { name }), ...(role !== undefined && { role }) };
}

/** Says what to write by hand into a config that is code. If nothing else can be changed, that is an error. */
function adviceOnConfig({ dynamicConfig: file, files }: Project, advice: string): SchemeWarning[] {
  if (file === undefined) return [];
  if (files.length > 0) return [{ code: 'config-dynamic', message: `${file} is code, and not changed. ${advice}` }];
  const message = 'The config is code, which is not changed, and no other file exists.';
  throw new UriSchemeError('ERR_CONFIG_DYNAMIC', message, { fix: advice, file });
}

function toDiff(file: string, before: string, after: string): string {
  const name = file.replaceAll('\\', '/');
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}
