/**
 * `npm run packages`, second part: installs examples/hello from the packed tarballs outside the repository, hosts it on
 * every host as its README says, and with `appkit serve`, and checks its answers.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverEnvironment } from '../conformance/command.ts';
import { startChecks } from './checks.ts';
import { checkServer } from './example/check-server.ts';
import { countdownChecks } from './example/countdown.ts';
import { pageChecks } from './example/page.ts';
import { readHosts } from './example/readme-hosts.ts';
import { sessionChecks } from './example/session.ts';
import { todosChecks } from './example/todos.ts';
import { packPackages } from './pack.ts';
import { copyProject, createProject } from './project.ts';
import { runCommand } from './run-command.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/hello');
const READY = /^(?:Listening on|Serving static files and routes at) (http:\S+)\n/m;
const CHECKS = { ...pageChecks, ...todosChecks, ...sessionChecks, ...countdownChecks };
// As in a user's shell, except for where npm looks first.
const SHELL = { ...serverEnvironment, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-example-'));
try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  const project = path.join(scratch, 'hello');
  await createProject({ from: EXAMPLE, into: project, tarballs, omitDev: false });
  await checks.run('the example type-checks', () => runCommand(['npx', 'tsc'], { cwd: project, env: SHELL }));
  await checks.run('the example builds with its own script', () =>
    runCommand(['npm', 'run', 'build'], { cwd: project, env: SHELL }),
  );

  for (const { name, steps, start } of await readHosts(path.join(EXAMPLE, 'README.md'))) {
    // Each from the export: what one host installs must not help the next.
    const folder = path.join(scratch, name);
    copyProject(project, folder);
    const ready = await checks.run(`${name}: the steps of the README before the last one`, async () => {
      for (const step of steps) await runCommand(step, { cwd: folder, env: SHELL });
      return true;
    });
    if (!ready) continue;
    const env = { ...serverEnvironment, PORT: '0', HOST: '127.0.0.1' };
    await checkServer(checks, { name, command: start, folder, env, ready: READY }, CHECKS);
  }
  const serve = path.join(project, 'node_modules/.bin/appkit');
  const command = [serve, 'serve', '--port', '0', '--host', '127.0.0.1'] as const;
  const server = { name: 'appkit serve', command, folder: project, env: serverEnvironment, ready: READY };
  await checkServer(checks, server, CHECKS);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();
