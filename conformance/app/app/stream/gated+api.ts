export { GET } from '../../../generic/fixture/routes/stream/gated.ts';
