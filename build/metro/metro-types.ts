/** What Metro's resolver knows about an import. */
export interface ResolutionContext {
  /** The importing file. For `require.context`, the folder with `?ctx=` and a hash. */
  readonly originModulePath: string;
  /** The next resolver: Metro's own. */
  readonly resolveRequest: ResolveRequest;
}

/** What an import leads to. */
export type Resolution =
  | { readonly type: 'sourceFile'; readonly filePath: string }
  | { readonly type: 'assetFiles'; readonly filePaths: readonly string[] }
  | { readonly type: 'empty' };

/** A resolver of Metro. */
export type ResolveRequest = (context: ResolutionContext, moduleName: string, platform: string | null) => Resolution;

/** The part of a Metro config that is read or changed. */
export interface WrappedConfig {
  readonly projectRoot?: string;
  readonly resolver?: { readonly resolveRequest?: ResolveRequest | null };
  readonly transformer?: { readonly babelTransformerPath?: string };
  readonly serializer?: { readonly getPolyfills?: GetPolyfills };
}

/** Lists the scripts that run before all modules of a bundle. */
type GetPolyfills = (context: { readonly platform: string | null }) => readonly string[];

/** The arguments of a Metro Babel transformer. */
export interface TransformArguments {
  /** Relative to the project. */
  readonly filename: string;
  readonly src: string;
  readonly options: { readonly projectRoot: string };
}

/** A module that `transformer.babelTransformerPath` names. */
export interface BabelTransformer {
  transform(args: TransformArguments): unknown;
  getCacheKey?(): string;
}
