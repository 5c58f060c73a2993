import { echo } from 'hosted-parts';

export const prerender = false;
export const POST = ({ request }: { request: Request }) => echo(request);
