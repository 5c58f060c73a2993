import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createApiDocument, readApiInfo } from 'appkit-build/development';
import type { ApiRoute } from 'appkit-build/development';
import { printWarning } from '../report/error.ts';
import type { DevApp } from './dev-app.ts';

/** The page that describes the routes; its files are below it. */
const DOCS_PATH = '/_appkit/dev/api';
const DOCUMENT_PATH = `${DOCS_PATH}.json`;

/** The package that draws the page. It is an optional peer: it is only needed to look at the page. */
const DRAWER = 'swagger-ui-dist';
const FILES = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** Describes an app's routes to its developer. */
export interface ApiDocs {
  /** Answers a request for the page. Returns `false`, and does nothing, for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The options of {@link createApiDocs}. */
export interface ApiDocsOptions {
  projectRoot: string;
  app(): Pick<DevApp, 'description' | 'load'>;
  /** Where the page listens for changes. */
  changesUrl(): string;
}

/** Creates the handler of `/_appkit/dev/api`, a page, and of `/_appkit/dev/api.json`, an OpenAPI document. */
export function createApiDocs({ projectRoot, app, changesUrl }: ApiDocsOptions): ApiDocs {
  const warned = new Set<string>();
  const sendDocument = async (response: ServerResponse): Promise<void> => {
    const { description, load } = app();
    const routes = await Promise.all(
      description.routes.map(async ({ pattern, file, methods }): Promise<ApiRoute> => {
        const module = await load(file).catch((error: unknown) => ({ failure: toFailure(error) }));
        return { pattern, file, methods, module };
      }),
    );
    const { document, warnings } = await createApiDocument(
      routes,
      await readApiInfo(projectRoot, forDevelopment(description.config)),
    );
    for (const warning of warnings) {
      if (!warned.has(warning)) printWarning(warning);
      warned.add(warning);
    }
    send(response, { type: 'application/json', text: `${JSON.stringify(document, null, 2)}\n` });
  };
  return {
    answer(request, response) {
      const [pathname = ''] = (request.url ?? '').split('?', 1);
      if (pathname === DOCUMENT_PATH) {
        sendDocument(response).catch((error: unknown) => {
          send(response, { status: 500, type: 'text/plain; charset=utf-8', text: `${toFailure(error)}\n` });
        });
        return true;
      }
      if (pathname !== DOCS_PATH && !pathname.startsWith(`${DOCS_PATH}/`)) return false;
      const folder = findDrawer(projectRoot);
      if (folder === undefined) {
        send(response, { status: 404, type: 'text/plain; charset=utf-8', text: MISSING });
        return true;
      }
      const name = pathname.slice(DOCS_PATH.length + 1);
      const type = FILES.get(name);
      if (type !== undefined) {
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' });
        pipeline(createReadStream(path.join(folder, name)), response, () => undefined);
      } else if (name === '') send(response, { type: 'text/html; charset=utf-8', text: toPage(changesUrl()) });
      else send(response, { status: 404, type: 'text/plain; charset=utf-8', text: 'Not found\n' });
      return true;
    },
  };
}

const MISSING = `This page is drawn by ${DRAWER}, which is not installed. Install it in the folder of the app:

  npm install --save-dev --ignore-scripts ${DRAWER}@5

The OpenAPI document is at ${DOCUMENT_PATH} without it.
`;

function findDrawer(projectRoot: string): string | undefined {
  try {
    return path.dirname(createRequire(path.join(projectRoot, 'package.json')).resolve(`${DRAWER}/package.json`));
  } catch {
    // Only the package itself can be missing.
    return undefined;
  }
}

type ApiConfig = Parameters<typeof readApiInfo>[1];

/** The config in development: without the origin that the app may have in production. */
function forDevelopment({ base, securitySchemes }: ApiConfig): ApiConfig {
  return { ...(base !== undefined && { base }), ...(securitySchemes && { securitySchemes }) };
}

function toFailure(error: unknown): string {
  return `It cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
}

function send(
  response: ServerResponse,
  { status = 200, type, text }: { status?: number; type: string; text: string },
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

function toPage(changesUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({ url: '${DOCUMENT_PATH}', dom_id: '#api', deepLinking: true, validatorUrl: null });
new EventSource(${JSON.stringify(changesUrl)}).addEventListener('change', () => location.reload());
</script>
</body>
</html>
`;
}
