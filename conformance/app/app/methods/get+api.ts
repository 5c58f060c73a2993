export { GET } from '../../../generic/fixture/routes/methods/get.ts';
