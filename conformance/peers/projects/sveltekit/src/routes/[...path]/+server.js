import { answer } from '../../../../answer.mjs';

export const trailingSlash = 'ignore';
export const fallback = ({ request }) => answer(request);
