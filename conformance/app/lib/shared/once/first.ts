import { evaluated } from '../order.ts';

evaluated('first', { of: 'once' });
