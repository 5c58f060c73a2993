export { Link } from './link.js';
export { router, useRouter } from './navigation.js';
export { useIsNavigating, useLoaderData, useLocalSearchParams, usePathname } from './hooks.js';
export { Slot } from './page-tree.js';
