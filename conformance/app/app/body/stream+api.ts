export { DELETE, PATCH, POST, PUT } from '../../../generic/fixture/routes/body/stream.ts';
