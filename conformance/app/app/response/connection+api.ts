export { GET } from '../../../generic/fixture/routes/response/connection.ts';
