export { GET } from '../../../generic/fixture/routes/stream/broken.ts';
