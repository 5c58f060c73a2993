export { GET } from '../../../generic/fixture/routes/response/no-content.ts';
