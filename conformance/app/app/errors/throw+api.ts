export { GET, POST } from '../../../generic/fixture/routes/errors/throw.ts';
