import { defineHandler } from 'nitro/h3';
import { cookies } from 'hosted-parts';

export default defineHandler(({ req }) => cookies(req));
