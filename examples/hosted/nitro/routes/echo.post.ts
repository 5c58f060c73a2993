import { defineHandler } from 'nitro/h3';
import { echo } from 'hosted-parts';

export default defineHandler(({ req }) => echo(req));
