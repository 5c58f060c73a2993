import { release } from 'hosted-parts';

export const loader = ({ request }: { request: Request }) => release(request);
