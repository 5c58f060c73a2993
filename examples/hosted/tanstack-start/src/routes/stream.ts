import { createFileRoute } from '@tanstack/react-router';
import { stream } from 'hosted-parts';

export const Route = createFileRoute('/stream')({ server: { handlers: { GET: ({ request }) => stream(request) } } });
