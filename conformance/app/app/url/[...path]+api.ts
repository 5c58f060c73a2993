export { GET } from '../../../generic/fixture/routes/url.ts';
