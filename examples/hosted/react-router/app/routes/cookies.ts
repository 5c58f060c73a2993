import { cookies } from 'hosted-parts';

export const loader = ({ request }: { request: Request }) => cookies(request);
