export { POST } from '../../../generic/fixture/routes/body/blob.ts';
