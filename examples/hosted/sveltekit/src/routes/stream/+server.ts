import { stream } from 'hosted-parts';

export const GET = ({ request }: { request: Request }) => stream(request);
