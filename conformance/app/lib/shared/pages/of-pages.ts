import { evaluated } from '../order.ts';

evaluated('of two pages', { of: 'pages' });
