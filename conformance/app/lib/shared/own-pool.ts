import { attempts } from './attempts.ts';

/** How often this module was evaluated. Only one route reaches it. */
export const pools: number = (attempts.get('own-pool.ts') ?? 0) + 1;
attempts.set('own-pool.ts', pools);
