export { GET } from '../../../../generic/fixture/routes/response/invalid.ts';
