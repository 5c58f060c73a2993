import { defineHandler } from 'nitro/h3';
import { release } from 'hosted-parts';

export default defineHandler(({ req }) => release(req));
