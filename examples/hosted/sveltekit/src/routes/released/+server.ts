import { release } from 'hosted-parts';

export const GET = ({ request }: { request: Request }) => release(request);
