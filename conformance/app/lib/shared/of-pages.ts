import { order } from './order.ts';

order.push('of two pages');
