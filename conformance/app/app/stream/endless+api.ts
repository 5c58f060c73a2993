export { GET, HEAD } from '../../../generic/fixture/routes/stream/endless.ts';
