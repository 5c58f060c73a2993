export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../../../generic/fixture/routes/methods/all.ts';
