export { GET, POST } from '../../../generic/fixture/routes/request/signal.ts';
