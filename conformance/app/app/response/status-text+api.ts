export { GET } from '../../../generic/fixture/routes/response/status-text.ts';
