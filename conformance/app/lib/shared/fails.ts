import { failTwice } from './attempts.ts';

failTwice('fails.ts');

export const loaded = 'at last';
