import { Agent, get } from 'node:http';

/** A constant load of requests. */
export interface Load {
  /** The numbers of the requests in progress. */
  inProgress(): ReadonlySet<number>;
  /**
   * Stops sending, and resolves once the last request is answered, with the numbers of the lost requests and the
   * reasons.
   */
  end(): Promise<{ answered: number; lost: ReadonlyMap<number, string> }>;
  /** Resolves once this many requests were answered or lost. */
  reached(count: number): Promise<void>;
}

/** Sends requests over this many connections, one after the other on each. */
export function startLoad(url: string, connections: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const inProgress = new Set<number>();
  const lost = new Map<number, string>();
  const waiting = new Set<{ count: number; resolve: () => void }>();
  const ending = new AbortController();
  let [sent, answered] = [0, 0];

  const sendOn = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const number = sent++;
      inProgress.add(number);
      const failure = await ask(url, agent);
      inProgress.delete(number);
      if (failure === undefined) answered++;
      else lost.set(number, failure);
      for (const { count, resolve } of waiting) if (answered + lost.size >= count) resolve();
    }
  };
  const all = Promise.all(Array.from({ length: connections }, sendOn));
  return {
    inProgress: () => inProgress,
    reached: (count) => new Promise((resolve) => waiting.add({ count, resolve })),
    async end() {
      ending.abort();
      await all;
      agent.destroy();
      return { answered, lost };
    },
  };
}

/** Resolves with what was wrong with the answer, if anything. */
function ask(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.once('error', (error) => resolve(error.message));
    }).once('error', (error) => resolve(error.message));
  });
}
