export { POST } from '../../../generic/fixture/routes/body/text.ts';
