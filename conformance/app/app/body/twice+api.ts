export { POST } from '../../../generic/fixture/routes/body/twice.ts';
