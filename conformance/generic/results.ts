/** What became of one behaviour on one host. */
export interface BehaviourResult {
  /** The file of the suite or of the generic behaviours, without its ending. */
  topic: string;
  name: string;
  source: string;
  state: 'passed' | 'failed' | 'gap' | 'not-applicable';
  /** Why it failed. */
  error?: string | undefined;
  /** Where it failed. */
  stack?: string | undefined;
  milliseconds?: number;
  /** The process of the server ended, or no longer answered, when it was asked for. */
  lostServer?: boolean;
}

/** What a run of the suite found. */
export interface Outcome {
  behaviours: BehaviourResult[];
  /** What failed outside the behaviours: the server's end, a gap without a behaviour. */
  problems: string[];
}

/** How many results have that state; problems count as failures. */
export function count(result: Outcome, state: BehaviourResult['state']): number {
  const found = result.behaviours.filter((behaviour) => behaviour.state === state).length;
  return state === 'failed' ? found + result.problems.length : found;
}

/** A line for each behaviour that failed, with the first line of its reason: a log is often cut off before the details. */
export function failures({ behaviours }: Outcome): string[] {
  return behaviours
    .filter(({ state }) => state === 'failed')
    .map(({ topic, name, error = '' }) => `FAILED ${topic}: ${name}: ${error.split('\n', 1)[0]}`);
}
