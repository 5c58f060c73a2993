import { createFileRoute } from '@tanstack/react-router';
import { cookies } from 'hosted-parts';

export const Route = createFileRoute('/cookies')({ server: { handlers: { GET: ({ request }) => cookies(request) } } });
