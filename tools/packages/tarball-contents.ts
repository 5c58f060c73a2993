import { runCommand } from '../run-command.ts';

const NEEDED = ['package.json', 'README.md', 'LICENSE'];
const EXPECTED =
  /^(?:(?:package|fixture)\.json|README\.md|LICENSE|CHANGELOG\.md|app\.plugin\.js|bin\/[\w.-]+|lib\/.*(?<!\.test|\.test-d)\.(?:js|d\.ts)|scripts\/[\w-]+\.sh|templates\/.+)$/;

/**
 * Searches tarballs for files that a user does not need: sources, tests, build information.
 *
 * @param tarballs – by package name.
 * @throws Error that names the package and the files that are missing or do not belong.
 */
export async function checkContents(tarballs: Record<string, string>): Promise<void> {
  for (const [name, tarball] of Object.entries(tarballs)) {
    const listing = await runCommand(['tar', '-tzf', tarball], { cwd: '.' });
    const files = listing
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''));
    for (const needed of NEEDED) if (!files.includes(needed)) throw new Error(`${name} has no ${needed}.`);
    const strange = files.filter((file) => !EXPECTED.test(file));
    if (strange.length > 0) throw new Error(`${name} holds ${strange.join(', ')}.`);
  }
}
