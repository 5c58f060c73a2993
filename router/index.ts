export { fetch, fetchRoute } from './fetch.ts';
export type { FetchRouteOptions } from './fetch-route.ts';
export { Link } from './link.tsx';
export type { LinkProps } from './link.tsx';
export { Form } from './form.tsx';
export type { FormProps } from './form.tsx';
export { router, useRouter } from './navigation.ts';
export type { GoOptions, Router } from './navigation.ts';
export { notFound } from './not-found.ts';
export {
  useActionData,
  useIsNavigating,
  useIsSubmitting,
  useLoaderData,
  useLocalSearchParams,
  usePathname,
} from './hooks.ts';
export type { LoaderData, LocalSearchParams, SearchParams } from './hooks.ts';
export type { Href, Register } from './register.ts';
export { Slot } from './page-tree.tsx';
export type { Action, ErrorBoundaryProps, HtmlProps, LayoutModule, Loader, PageModule } from './site.ts';
