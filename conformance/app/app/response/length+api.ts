export { GET, HEAD, POST } from '../../../generic/fixture/routes/response/length.ts';
