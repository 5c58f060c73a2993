import { evaluated } from '../order.ts';

evaluated('first', { of: 'alone' });
