export { GET, POST } from '../../../../generic/fixture/routes/response/status.ts';
