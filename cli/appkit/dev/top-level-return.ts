import type * as ViteApi from 'vite';

/** Lets a CommonJS module of the server return at its top level, which Vite takes for a syntax error. */
export function createReturnPlugin({ parseAst }: Pick<typeof ViteApi, 'parseAst'>): ViteApi.Plugin {
  return {
    name: 'appkit:top-level-return',
    enforce: 'pre',
    applyToEnvironment: ({ config }) => config.consumer === 'server',
    transform: {
      filter: { id: /\.c?[jt]s(?:\?|$)/, code: /\breturn\b/ },
      handler(code, id) {
        const lang = /ts(?:\?|$)/.test(id) ? 'ts' : 'js';
        if (isRead(() => parseAst(code, { lang }))) return undefined;
        if (!isRead(() => parseAst(code, { lang, sourceType: 'commonjs' }))) return undefined;
        return { code: `(function () {${code}\n}).call(this);`, map: null };
      },
    },
  };
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
