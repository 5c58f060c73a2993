import { createFileRoute } from '@tanstack/react-router';
import { echo } from 'hosted-parts';

export const Route = createFileRoute('/echo')({ server: { handlers: { POST: ({ request }) => echo(request) } } });
