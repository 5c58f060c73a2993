import { order } from './order.ts';

order.push('of one page');
