/** The result of one behaviour on one host. */
export interface BehaviourResult {
  /** The file of the suite or of the generic behaviours, without its extension. */
  topic: string;
  name: string;
  source: string;
  state: 'passed' | 'failed' | 'gap' | 'not-applicable';
  /** Why it failed. */
  error?: string | undefined;
  /** Where it failed. */
  stack?: string | undefined;
  milliseconds?: number;
  /** Whether the server's process ended, or no longer answered, during the behaviour. */
  lostServer?: boolean;
}

/** The results of a run of the suite. */
export interface Outcome {
  behaviours: BehaviourResult[];
  /** Failures outside the behaviours: the server's end, a gap without a behaviour. */
  problems: string[];
}

/** The number of results in that state; problems count as failures. */
export function count(result: Outcome, state: BehaviourResult['state']): number {
  const found = result.behaviours.filter((behaviour) => behaviour.state === state).length;
  return state === 'failed' ? found + result.problems.length : found;
}

/** One line per failed behaviour, with the first line of its reason: a log is often cut off before the details. */
export function failures({ behaviours }: Outcome): string[] {
  return behaviours
    .filter(({ state }) => state === 'failed')
    .map(({ topic, name, error = '' }) => `FAILED ${topic}: ${name}: ${error.split('\n', 1)[0]}`);
}
