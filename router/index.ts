export { Link } from './link.tsx';
export type { LinkProps } from './link.tsx';
export { router, useRouter } from './navigation.ts';
export type { Router } from './navigation.ts';
export { useIsNavigating, useLoaderData, useLocalSearchParams, usePathname } from './hooks.ts';
export type { LoaderData, SearchParams } from './hooks.ts';
export { Slot } from './page-tree.tsx';
export type { ErrorBoundaryProps, HtmlProps, LayoutModule, Loader, PageModule } from './site.ts';
