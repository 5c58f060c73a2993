export { POST } from '../../../generic/fixture/routes/body/form.ts';
