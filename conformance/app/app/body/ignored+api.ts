export { POST } from '../../../generic/fixture/routes/body/ignored.ts';
