import path from 'node:path';
import type { EnvironmentModuleNode, ViteDevServer } from 'vite';
import type { ServerModules } from './server-modules.ts';

const STYLE = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss)(?:\?|$)/;
/** Imports of a style sheet that do not put it into the page. */
const NO_STYLE = /[?&](?:inline|raw|url)\b/;

/**
 * Collects the style sheets of what a page is made of, as elements for the head of its document: without them it would be
 * shown unstyled until its modules are there. They are in the order in which the imports are evaluated. Vite's client takes
 * them over by their attribute, and so replaces them when they change.
 *
 * @param sources – modules of the client: URL paths below the root of Vite.
 * @throws what the browser would be answered for one of the modules, such as that it is code of the server.
 */
export async function collectStyles(
  sources: readonly string[],
  { vite, modules }: { vite: ViteDevServer; modules: ServerModules },
): Promise<string> {
  const { client } = vite.environments;
  const seen = new Set<EnvironmentModuleNode>();
  const styles: EnvironmentModuleNode[] = [];
  const visit = async (url: string): Promise<void> => {
    const node = await client.moduleGraph.ensureEntryFromUrl(url);
    // What is bundled beforehand imports no style, and would have to be waited for.
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
  const elements = styles.map(async ({ id, file }) => {
    const { default: css } = await modules.load(`${path.relative(root, file ?? '')}?inline`);
    return `<style data-vite-dev-id="${escape(id ?? '')}">${String(css).replaceAll('</', String.raw`<\/`)}</style>`;
  });
  return (await Promise.all(elements)).join('');
}

function escape(text: string): string {
  return text.replaceAll(/[&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
