import { stream } from 'hosted-parts';

export const prerender = false;
export const GET = ({ request }: { request: Request }) => stream(request);
