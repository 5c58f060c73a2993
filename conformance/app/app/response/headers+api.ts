export { GET } from '../../../generic/fixture/routes/response/headers.ts';
