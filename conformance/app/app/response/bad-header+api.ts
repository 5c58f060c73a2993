export { GET } from '../../../generic/fixture/routes/response/bad-header.ts';
