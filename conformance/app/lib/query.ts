export { query } from '../../generic/fixture/query.ts';
