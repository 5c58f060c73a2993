import { echo } from 'hosted-parts';

export const POST = ({ request }: { request: Request }) => echo(request);
