import { defineHandler } from 'nitro/h3';
import { answer } from '../../answer.mjs';

export default defineHandler(({ req }) => answer(req));
