export { GET } from '../../../generic/fixture/routes/response/large.ts';
