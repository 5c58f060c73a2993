export { POST } from '../../../generic/fixture/routes/request/native.ts';
