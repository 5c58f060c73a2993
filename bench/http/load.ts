import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../tools/run-command.ts';
import type { Scenario } from './scenarios.ts';

/** The result of one slice of load. */
export interface Load {
  requests: number;
  requestsPerSecond: number;
}

/** Sends a scenario to a server for some seconds, as fast as it answers. */
export type LoadGenerator = (url: string, scenario: Scenario, seconds: number) => Promise<Load>;

/** wrk if it is installed, since it uses the least processor time itself, otherwise autocannon. */
export function chooseLoadGenerator(): { name: string; run: LoadGenerator } {
  const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
  return hasWrk ? { name: 'wrk', run: runWrk } : { name: 'autocannon', run: runAutocannon };
}

async function runAutocannon(url: string, scenario: Scenario, seconds: number): Promise<Load> {
  const { method, headers, body, connections } = scenario;
  const options = [`--method=${method}`, `--connections=${connections}`, `--duration=${seconds}`, '--json'];
  for (const [name, value] of Object.entries(headers)) options.push(`--headers=${name}=${value}`);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'appkit-bench-'));
  if (body !== undefined) {
    // A megabyte is too long for a command-line argument.
    const file = path.join(folder.path, 'body');
    await writeFile(file, body);
    options.push(`--input=${file}`);
  }
  const cwd = path.join(import.meta.dirname, '..');
  const output = await runCommand(['node_modules/.bin/autocannon', ...options, url + scenario.path], { cwd });
  const result = JSON.parse(output) as AutocannonResult; // the documented output of --json
  if (result.errors > 0 || (result.non2xx > 0 && !scenario.revalidates)) {
    throw new Error(
      `${url}${scenario.path}: ${result.errors} failed connections and ${result.non2xx} answers other than 2xx.`,
    );
  }
  return { requests: result.requests.total, requestsPerSecond: result.requests.total / result.duration };
}

interface AutocannonResult {
  errors: number;
  non2xx: number;
  duration: number;
  requests: { total: number };
}

async function runWrk(url: string, scenario: Scenario, seconds: number): Promise<Load> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'appkit-bench-'));
  const script = path.join(folder.path, 'request.lua');
  await writeFile(script, toLua(scenario));
  const args = ['-t1', `-c${scenario.connections}`, `-d${seconds}s`, '-s', script, url + scenario.path];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const total = /(\d+) requests in ([\d.]+)(m?s)/.exec(output);
  if (!total || /Non-2xx|Socket errors/.test(output))
    throw new Error(`wrk on ${url}${scenario.path} printed:\n${output}`);
  const requests = Number(total[1]);
  return { requests, requestsPerSecond: requests / (Number(total[2]) / (total[3] === 'ms' ? 1000 : 1)) };
}

function toLua({ method, headers, body }: Scenario): string {
  const lines = [`wrk.method = "${method}"`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  if (body !== undefined) lines.push(`wrk.body = ${JSON.stringify(body)}`);
  return lines.join('\n');
}
