import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from '../run-command.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../cli/uri-scheme/fixtures');

/** The templates in the npm registry. */
const TEMPLATES = [
  { name: '@react-native-community/template@0.87.2', project: 'template', golden: 'react-native.diff' },
  { name: 'expo-template-bare-minimum@58.0.8', project: '.', golden: 'expo.diff' },
];

/**
 * Runs the installed `uri-scheme` in the templates of React Native and Expo, fetched from the npm registry.
 *
 * @param node – the executable of Node.
 * @param folder – where appkit-uri-scheme is installed.
 * @throws Error with the differences.
 */
export async function checkUriScheme(node: string, folder: string): Promise<void> {
  const bin = path.join(folder, 'node_modules/appkit-uri-scheme/bin/uri-scheme.js');
  for (const { name, project, golden } of TEMPLATES) {
    const scratch = path.join(folder, 'templates', golden);
    await mkdir(scratch, { recursive: true });
    await runCommand([...npmCommand(), 'pack', name, '--prefer-offline'], { cwd: scratch });
    const tarball = (await readdir(scratch)).find((file) => file.endsWith('.tgz'));
    if (tarball === undefined) throw new Error(`npm pack made no tarball of ${name}.`);
    await runCommand(['tar', '-xzf', tarball], { cwd: scratch });
    const cwd = path.join(scratch, 'package', project);
    const before = await readAll(cwd);
    const run = (...args: string[]): Promise<string> => runCommand([node, bin, ...args], { cwd });
    const diff = await run('add', 'com.example.app', '--dry-run');
    if (diff !== (await readFile(path.join(FIXTURES, golden), 'utf8'))) throw new Error(`${name}: ${diff}`);
    await assertSame(before, cwd, `${name} was changed by --dry-run`);
    await run('add', 'com.example.app');
    const patched = path.join(scratch, 'patched');
    await cp(cwd, patched, { recursive: true });
    await runCommand(['git', 'apply', '--reverse', path.join(FIXTURES, golden)], { cwd: patched });
    await assertSame(before, patched, `${name} was changed in another way than the diff says`);
    await run('remove', 'com.example.app');
    await assertSame(before, cwd, `${name} is not as it was`);
  }
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
  const files = names.map(async (name) => [name, await readFile(path.join(folder, name))] as const);
  return new Map(await Promise.all(files));
}

async function assertSame(expected: ReadonlyMap<string, Buffer>, folder: string, message: string): Promise<void> {
  for (const [name, bytes] of expected)
    if (!bytes.equals(await readFile(path.join(folder, name)))) throw new Error(`${message}: ${name}.`);
}
