export { POST, PUT } from '../../../generic/fixture/routes/body/bytes.ts';
