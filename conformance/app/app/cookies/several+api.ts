export { GET } from '../../../generic/fixture/routes/cookies/several.ts';
