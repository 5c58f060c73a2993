import { failTwice } from './attempts.ts';

failTwice('fails-again.ts');

export const loaded = 'at last';
