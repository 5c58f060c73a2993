import { PRESETS } from 'appkit-build/presets';
import { findNearestName } from 'appkit-build/problem';
import { CommandError, WRONG_USAGE } from '../command-error.ts';
import type { TemplateFile } from './plan-files.ts';

/** Adapts a template's text to another framework's build: how it is exported, and which of its files never change. */
export type ForFramework = (text: string) => string;

/** How templates export an app, and how they name the files that never change. */
const EXPORT = /((?:npx )?appkit export) -p web/g;
const ASSETS = /\/(?::base\*\/|\(\?:\.\*\/\)\?|\*)?_appkit\/assets/g;

/**
 * Creates the change for a framework or module.
 *
 * @param from – as in `appkit export --from`.
 * @throws CommandError when its name cannot be part of a command in a config file.
 */
export function createForFramework(from: string): ForFramework {
  if (!/^[\w@./-]+$/.test(from)) {
    const fix = 'Rename it: it becomes part of commands in config files.';
    throw new CommandError(`--from cannot be ${from}.`, fix, { exitCode: WRONG_USAGE });
  }
  const preset = PRESETS.find(({ name }) => name === from);
  if (!preset && !/[./]/.test(from)) {
    const names = PRESETS.map(({ name }) => name);
    const nearest = findNearestName(from, names);
    const fix =
      nearest === undefined
        ? `Name a module, such as server.ts, or one of ${names.join(', ')}.`
        : `Did you mean ${nearest}?`;
    throw new CommandError(`No framework is called ${from}.`, fix, { exitCode: WRONG_USAGE });
  }
  const [folder] = preset?.immutable ?? [];
  return (text) => {
    const exported = text.replaceAll(EXPORT, `${preset ? 'npm run build && ' : ''}$1 --from ${from}`);
    return folder === undefined ? exported : exported.replaceAll(ASSETS, `/${folder}`);
  };
}

/** Applies the change to files. A file without anything to change stays identical. */
export function changeFiles(files: readonly TemplateFile[], change: ForFramework): TemplateFile[] {
  return files.map(({ path, content }) => {
    const text = content.toString();
    const changed = change(text);
    return { path, content: changed === text ? content : Buffer.from(changed) };
  });
}
