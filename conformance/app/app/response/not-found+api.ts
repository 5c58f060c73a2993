export { GET } from '../../../generic/fixture/routes/response/not-found.ts';
