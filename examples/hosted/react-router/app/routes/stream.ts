import { stream } from 'hosted-parts';

export const loader = ({ request }: { request: Request }) => stream(request);
