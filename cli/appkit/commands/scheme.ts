import { runCommand } from 'appkit-uri-scheme/command';

/** Runs `uri-scheme` under the name `appkit scheme`, and sets its exit code on the process. */
export async function schemeCommand(args: readonly string[]): Promise<void> {
  process.exitCode = await runCommand(args, { program: 'appkit scheme' });
}
