import { evaluated } from '../order.ts';

evaluated('of one page', { of: 'pages' });
