import type { ServerResponse } from 'node:http';
import type { AppDescription } from 'appkit-build/development';
import { printWarning } from '../report/error.ts';

/** An answered request, as an adapter reports it. */
interface Answered {
  request: Request;
  status: number;
  route?: string | undefined;
}

/**
 * When a route with GET answers HEAD with 405, names the option that answers HEAD: in the answer, and once in the
 * terminal.
 */
export function createHeadHint(): (
  answered: Answered,
  app: AppDescription,
  response: ServerResponse | undefined,
) => void {
  const told = new Set<string>();
  return ({ request: { method }, status, route: pattern }, { routes, config }, response) => {
    if (method !== 'HEAD' || status !== 405) return;
    const route = routes.find((candidate) => candidate.pattern === pattern);
    if (!route?.methods.includes('GET') || route.methods.includes('HEAD')) return;
    const hint = `Set implicitHead of appkit-router to true in ${config.file}, and HEAD runs GET.`;
    response?.setHeader('appkit-hint', hint);
    if (told.has(route.file)) return;
    told.add(route.file);
    printWarning(`HEAD ${route.pattern} is answered 405: ${route.file} exports GET and no HEAD. ${hint}`);
  };
}
