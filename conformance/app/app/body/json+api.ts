export { POST } from '../../../generic/fixture/routes/body/json.ts';
