export { GET, OPTIONS, PUT } from '../../../app/app/signals/[name]+api.ts';
