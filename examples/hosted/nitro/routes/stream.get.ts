import { defineHandler } from 'nitro/h3';
import { stream } from 'hosted-parts';

export default defineHandler(({ req }) => stream(req));
