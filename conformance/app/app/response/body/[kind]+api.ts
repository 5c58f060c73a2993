export { GET } from '../../../../generic/fixture/routes/response/body.ts';
