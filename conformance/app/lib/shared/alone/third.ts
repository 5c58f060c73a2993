import { evaluated } from '../order.ts';
import './second.ts';

evaluated('third', { of: 'alone' });
