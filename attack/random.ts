import { createHash } from 'node:crypto';

/** Numbers that follow from a seed alone, so that a run can be repeated. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** One of the items. */
  pick<T>(items: readonly T[]): T;
  /** A token that no other case has. */
  token(): string;
}

/** Starts a sequence. */
export function createRandom(seed: string): Random {
  let block = 0;
  const next = (): Buffer => createHash('sha256').update(`${seed} ${block++}`).digest();
  const below = (limit: number): number => next().readUIntBE(0, 6) % limit;
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    token: () => `tok-${next().toString('hex', 0, 6)}`,
  };
}
