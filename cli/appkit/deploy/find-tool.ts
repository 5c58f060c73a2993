import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** How a tool is started: a program, and the arguments before its own. */
export interface ToolCommand {
  file: string;
  args: string[];
}

/** Where to look after `node_modules`, and for which system. */
export interface FindToolOptions {
  /** Default: that of this process. */
  searchPath?: string;
  /** Default: that of this process. */
  platform?: NodeJS.Platform;
}

/**
 * Finds a tool: what the app or a folder around it has installed comes before what is on the PATH.
 *
 * @param tool – the command, and the package that brings it.
 * @returns how to start it without a shell; undefined when it is missing.
 */
export function findTool(
  tool: { name: string; package: string },
  from: string,
  { searchPath = process.env['PATH'] ?? '', platform = process.platform }: FindToolOptions = {},
): ToolCommand | undefined {
  const installed: string[] = [];
  for (let folder = from; ; folder = path.dirname(folder)) {
    installed.push(path.join(folder, 'node_modules/.bin'));
    if (path.dirname(folder) === folder) break;
  }
  const toCommand = platform === 'win32' ? commandOnWindows : commandIn;
  for (const folder of [...installed, ...searchPath.split(path.delimiter).filter(path.isAbsolute)]) {
    const command = toCommand(folder, tool);
    if (command) return command;
  }
  return undefined;
}

function commandIn(folder: string, { name }: { name: string }): ToolCommand | undefined {
  const file = path.join(folder, name);
  return isExecutable(file) ? { file, args: [] } : undefined;
}

/**
 * On Windows, npm puts a batch file on the PATH. Only cmd.exe runs batch files, and it interprets `&`, `%` and more in
 * arguments. So Node runs the package's script directly, as the batch file would.
 */
function commandOnWindows(folder: string, tool: { name: string; package: string }): ToolCommand | undefined {
  const program = path.join(folder, `${tool.name}.exe`);
  if (existsSync(program)) return { file: program, args: [] };
  if (!existsSync(path.join(folder, `${tool.name}.cmd`))) return undefined;
  // Next to `.bin`; below the batch file's folder when the package is installed globally.
  const places = [path.join(folder, '..', tool.package), path.join(folder, 'node_modules', tool.package)];
  const script = places.map((place) => scriptOf(place, tool.name)).find((file) => file !== undefined);
  return script === undefined ? undefined : { file: process.execPath, args: [script] };
}

/** The file that a package runs for a command. */
function scriptOf(packageFolder: string, name: string): string | undefined {
  const manifest = path.join(packageFolder, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: string | Record<string, string> }; // installed by npm
  const script = typeof bin === 'string' ? bin : bin?.[name];
  return script === undefined ? undefined : path.join(packageFolder, script);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
