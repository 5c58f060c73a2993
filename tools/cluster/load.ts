import { Agent, get } from 'node:http';

/** Requests that are kept coming. */
export interface Load {
  /** The numbers of those in progress. */
  inProgress(): ReadonlySet<number>;
  /** Sends no more, and resolves with the numbers of those that were lost, and why, once the last is answered. */
  end(): Promise<{ answered: number; lost: ReadonlyMap<number, string> }>;
  /** Resolves once so many were answered or lost. */
  reached(count: number): Promise<void>;
}

/** Sends requests over so many connections, one after the other on each. */
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

/** Resolves with what was wrong with the answer, if anything was. */
function ask(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.once('error', (error) => resolve(error.message));
    }).once('error', (error) => resolve(error.message));
  });
}
