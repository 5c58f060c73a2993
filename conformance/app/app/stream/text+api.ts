export { GET } from '../../../generic/fixture/routes/stream/text.ts';
