export { GET } from '../../generic/fixture/routes/hello.ts';
