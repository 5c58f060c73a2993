import { table } from '../markdown-table.ts';

/** The result of one fault planted in one host. */
export interface MutantResult {
  host: string;
  fault: string;
  state: 'caught' | 'missed' | 'not run';
  /** How many behaviours turned red, or why the host was not run. */
  detail: string;
}

/** A row per fault, a column per host. */
export function mutantsTable(results: readonly MutantResult[]): string {
  const hosts = [...new Set(results.map(({ host }) => host))];
  const faults = [...new Set(results.map(({ fault }) => fault))];
  const cell = (fault: string, host: string): string => {
    const result = results.find((entry) => entry.fault === fault && entry.host === host);
    if (result === undefined || result.state === 'not run') return 'not run';
    return result.state === 'caught' ? `red: ${result.detail}` : 'missed';
  };
  return table(
    ['An adapter that …', ...hosts],
    faults.map((fault) => [fault, ...hosts.map((host) => cell(fault, host))]),
  );
}
