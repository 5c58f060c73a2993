import type { PreparedHost } from '../conformance/hosts.ts';
import { inParallel } from '../conformance/in-parallel.ts';
import { judgeProcess, tryTo } from './attack-host.ts';
import type { AttackResult } from './attack-host.ts';
import { halfRead } from './cases/half-read.ts';
import { createRandom } from './random.ts';
import { start } from './start-host.ts';

/**
 * Plays every case of half-read bodies against the function of a host: these are what a function can do to its own
 * process. The platform parses the requests, and attacking the platform is not our task.
 */
export async function attackFunction(
  host: PreparedHost,
  { seed, only }: { seed: string; only: string | undefined },
): Promise<AttackResult> {
  const random = createRandom(`${seed} ${host.name}`);
  const server = await start(host);
  const { origin } = server;
  const result: AttackResult = { host: host.name, subjects: {}, answered: {}, passed: 0, failures: [] };
  const chosen = halfRead(false).filter(
    ({ name }) =>
      (only === undefined || `half-read: ${name}`.includes(only)) &&
      (name.startsWith('complete') || !host.attack?.hasWholeBodies),
  );
  await inParallel(chosen, 8, async ({ name, run }) => {
    const wrong = await tryTo(() => run({ origin, random }));
    result.subjects['half-read'] = (result.subjects['half-read'] ?? 0) + 1;
    if (wrong.length === 0) result.passed += 1;
    else result.failures.push(`${host.name}: half-read: ${name}: ${wrong.join('; ')}`);
  });
  for (const { name, problems } of judgeProcess(await server.stop())) {
    if (problems.length === 0) result.passed += 1;
    else result.failures.push(`${host.name}: process: ${name}: ${problems.join('; ')}`);
  }
  return result;
}
