/**
 * `node provider/run.ts <command>`: runs a command with a local provider next to it, and with the provider's settings
 * in its environment.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { startLocalProvider } from './local-provider.ts';
import { users } from './users.ts';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('error: there is no command to run.\n  Give one, such as: node provider/run.ts appkit serve');
  process.exit(2);
}

// New at each start, and not stored in any file.
const { CLIENT_SECRET = randomText(), SESSION_SECRET = randomText() } = process.env;
const client = { clientId: 'sign-in-example', clientSecret: CLIENT_SECRET };
const { issuer, stop } = await startLocalProvider(client);
console.log(`Local provider: ${issuer}. Sign in as ${users.map(({ name }) => name).join(' or ')}, without a password.`);

const app = spawn(command, args, {
  // A process group of its own: otherwise Ctrl-C would reach the command twice, from the terminal and from us, and
  // twice means at once.
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, ISSUER: issuer, CLIENT_ID: client.clientId, CLIENT_SECRET, SESSION_SECRET },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => app.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
}
app.once('error', (error) => console.error(`error: ${command} cannot be started: ${error.message}.`));
// The code is null when a signal has ended the command.
process.exitCode = await new Promise<number>((resolve) => app.once('close', (code) => resolve(code ?? 1)));
await stop();

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
