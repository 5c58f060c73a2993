import { findProject } from './find-project.ts';
import type { ProjectOptions } from './find-project.ts';
import { formats } from './formats.ts';
import type { SchemeFileKind, SchemePlace } from './scheme-file.ts';
import { readSource } from './source-file.ts';
import { UriSchemeError } from './uri-scheme-error.ts';
import type { SchemeWarning } from './warning.ts';

/** A scheme of a project, once for each place that contains it. */
export interface ListedScheme extends SchemePlace {
  kind: SchemeFileKind;
  /** Relative to the project. */
  file: string;
}

/** The schemes of a project. */
export interface SchemeList {
  schemes: ListedScheme[];
  warnings: SchemeWarning[];
}

/**
 * Reads the schemes of a project from `Info.plist`, `AndroidManifest.xml` and `app.json`. `http` and `https`, which
 * are in the manifest for links of a website, are not listed.
 *
 * @throws UriSchemeError when there is no project, or a file cannot be read.
 */
export async function listSchemes(options: ProjectOptions = {}): Promise<SchemeList> {
  const { root, files, dynamicConfig, warnings } = findProject(options);
  if (files.length === 0 && dynamicConfig !== undefined) {
    const fix = 'Look for scheme there.';
    throw new UriSchemeError('ERR_CONFIG_DYNAMIC', 'The config is code, which is not run here.', {
      fix,
      file: dynamicConfig,
    });
  }
  const schemes: ListedScheme[] = [];
  for (const { kind, file } of files) {
    const source = await readSource(root, file);
    schemes.push(...formats[kind].list(source).map((place) => ({ ...place, kind, file: source.file })));
  }
  if (dynamicConfig !== undefined) {
    const message = `${dynamicConfig}: This is code, which is not run here. Look for scheme there.`;
    warnings.push({ code: 'config-dynamic', message });
  }
  return { schemes, warnings };
}
