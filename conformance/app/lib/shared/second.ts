import { order } from './order.ts';

order.push('second');
