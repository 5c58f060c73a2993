import type { Contestant } from './contestants.ts';
import type { Scenario } from './scenarios.ts';

/** One slice of load on one server. */
export interface Sample {
  name: string;
  scenario: string;
  round: number;
  requestsPerSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu?: number;
}

/** What the table is made of. */
export interface Results {
  samples: readonly Sample[];
  contestants: readonly Contestant[];
  scenarios: readonly Scenario[];
  /** The machine and the settings. */
  caption: string;
}

/**
 * A Markdown page: for each server and scenario the median, over the rounds, of its ratio to its baseline in the same
 * round.
 */
export function toMarkdown({ samples, contestants, scenarios, caption }: Results): string {
  const header = ['server', ...scenarios.map(({ name }) => name)];
  const rows = contestants.map((contestant) => [
    contestant.name,
    ...scenarios.map((scenario) => cell(samples, contestant, scenario.name)),
  ]);
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# Benchmarks

${caption}

Each cell: requests per second and processor time per request, relative to the baseline above it in the same round; median
of the rounds, with the lowest and highest. More requests and less time are better. A baseline shows its own figures.

${lines.join('\n')}

Measure it yourself: \`npm run bench\`. On a machine that does other work, differences under 10 % mean nothing.
`;
}

function cell(samples: readonly Sample[], { name, baseline }: Contestant, scenario: string): string {
  const own = samples.filter((sample) => sample.name === name && sample.scenario === scenario);
  if (name === baseline) {
    const rate = Math.round(median(own.map((sample) => sample.requestsPerSecond))).toLocaleString('en');
    const time = own.some((sample) => sample.cpu === undefined)
      ? ''
      : `, ${median(own.map((sample) => sample.cpu ?? 0)).toFixed(1)} µs`;
    return `${rate}/s${time}`;
  }
  const ratios = own.flatMap((sample) => {
    const base = samples.find(
      (other) => other.name === baseline && other.scenario === scenario && other.round === sample.round,
    );
    return base
      ? [{ rate: sample.requestsPerSecond / base.requestsPerSecond, cpu: (sample.cpu ?? 0) / (base.cpu ?? 1) }]
      : [];
  });
  const rates = ratios.map(({ rate }) => rate);
  const range = `${Math.min(...rates).toFixed(2)}–${Math.max(...rates).toFixed(2)}`;
  const time = own.some((sample) => sample.cpu === undefined)
    ? ''
    : `, time ${median(ratios.map(({ cpu }) => cpu)).toFixed(2)}×`;
  return `**${median(rates).toFixed(2)}** (${range})${time}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
