import { failTwice } from './attempts.ts';
import { pools } from './own-pool.ts';

failTwice('own-fails.ts');

export const loadedWith: number = pools;
