import { evaluated } from '../order.ts';

evaluated('second', { of: 'alone' });
