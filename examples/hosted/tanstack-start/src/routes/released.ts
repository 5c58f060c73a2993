import { createFileRoute } from '@tanstack/react-router';
import { release } from 'hosted-parts';

export const Route = createFileRoute('/released')({ server: { handlers: { GET: ({ request }) => release(request) } } });
