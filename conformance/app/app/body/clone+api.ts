export { POST } from '../../../generic/fixture/routes/body/clone.ts';
