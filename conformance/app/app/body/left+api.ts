export { PATCH, POST } from '../../../generic/fixture/routes/body/left.ts';
