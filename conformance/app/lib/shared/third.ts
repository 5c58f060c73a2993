import { order } from './order.ts';
import './second.ts';

order.push('third');
