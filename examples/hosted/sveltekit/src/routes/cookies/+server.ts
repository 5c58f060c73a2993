import { cookies } from 'hosted-parts';

export const GET = ({ request }: { request: Request }) => cookies(request);
