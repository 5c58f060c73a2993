import path from 'node:path';
import type { EnvironmentModuleNode, ViteDevServer } from 'vite';
import type { ServerModules } from './server-modules.ts';

const STYLE = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss)(?:\?|$)/;
/** Imports of a style sheet that do not apply it to the page. */
const NO_STYLE = /[?&](?:inline|raw|url)\b/;

/**
 * Collects the style sheets of a page's modules as elements for the document's head: without them, the page would be
 * unstyled until its modules are loaded. They are in the order in which the imports are evaluated. Vite's client
 * recognizes them by an attribute, and replaces them when they change.
 *
 * @param sources – modules of the client: URL paths below the root of Vite.
 * @param nonce – of the Content-Security-Policy, for these elements and for those that Vite's client makes later.
 * @throws the error that the browser would get for one of the modules, such as for server code.
 */
export async function collectStyles(
  sources: readonly string[],
  { vite, modules }: { vite: ViteDevServer; modules: ServerModules },
  nonce?: string,
): Promise<string> {
  const { client } = vite.environments;
  const seen = new Set<EnvironmentModuleNode>();
  const styles: EnvironmentModuleNode[] = [];
  const visit = async (url: string): Promise<void> => {
    const node = await client.moduleGraph.ensureEntryFromUrl(url);
    // Pre-bundled dependencies import no styles, and visiting them would mean waiting for them.
    if (seen.has(node) || (node.file && client.depsOptimizer?.isOptimizedDepFile(node.file))) return;
    seen.add(node);
    if (STYLE.test(url)) {
      if (!NO_STYLE.test(url)) styles.push(node);
      return;
    }
    await client.transformRequest(url);
    for (const imported of node.importedModules) await visit(imported.url);
  };
  for (const source of sources) await visit(source);
  const { root } = vite.config;
  const attribute = toNonceAttribute(nonce);
  const elements = styles.map(async ({ id, file }) => {
    const { default: css } = await modules.load(`${path.relative(root, file ?? '')}?inline`);
    return `<style${attribute} data-vite-dev-id="${escape(id ?? '')}">${String(css).replaceAll('</', String.raw`<\/`)}</style>`;
  });
  return (
    (nonce === undefined ? '' : `<meta property="csp-nonce"${attribute}>`) + (await Promise.all(elements)).join('')
  );
}

/** The attribute of an element that a Content-Security-Policy allows by its nonce, or nothing. */
export function toNonceAttribute(nonce: string | undefined): string {
  return nonce === undefined ? '' : ` nonce="${escape(nonce)}"`;
}

function escape(text: string): string {
  return text.replaceAll(/[&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
