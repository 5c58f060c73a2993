import { echo } from 'hosted-parts';

export const action = ({ request }: { request: Request }) => echo(request);
