export { GET, OPTIONS, PUT } from '../../../generic/fixture/routes/signals.ts';
