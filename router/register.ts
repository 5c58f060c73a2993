/**
 * The routes of the app. `appkit start` and `appkit export` write its property `routes`, by pattern, into
 * `.appkit/types/routes.d.ts`; without that file every path is accepted.
 */
export interface Register {}

/** The routes of the app by pattern, or `never` while they are not known. */
type Routes = Register extends { routes: infer Known } ? Known : never;

/** The shape of {@link Routes} for one pattern. */
interface Route {
  params: object;
  methods: object;
}

/** The contract of a route's method, or `undefined`: type files from an older export have no contracts. */
export type ContractOf<Pattern, Method> =
  RouteOf<Pattern> extends { contracts: infer Contracts }
    ? Method extends keyof Contracts
      ? Contracts[Method]
      : undefined
    : undefined;

type RouteOf<Pattern> = Pattern extends keyof Routes
  ? Routes[Pattern] extends Route
    ? Routes[Pattern]
    : never
  : never;

/** A pattern of the app, such as `/items/[id]`. */
export type RoutePattern = [Routes] extends [never] ? never : keyof Routes & string;

/** The parameters of a pattern. */
export type RouteParams<Pattern> = RouteOf<Pattern>['params'];

/** A path of the app, a part of a URL that is relative to the page, or a URL of another site. */
export type Href = [Routes] extends [never]
  ? string
  : WithSuffix<ToPath<RoutePattern>> | `${'.' | '?' | '#'}${string}` | `${string}:${string}`;

/** A pattern of an API route. */
export type ApiPattern = [Routes] extends [never]
  ? string
  : { [Pattern in RoutePattern]: [MethodOf<Pattern>] extends [never] ? never : Pattern }[RoutePattern];

/** The methods of an API route. */
export type MethodOf<Pattern> = [Routes] extends [never] ? string : keyof RouteOf<Pattern>['methods'] & string;

/** The parameters of an API route. */
export type ApiParams<Pattern> = [Routes] extends [never] ? Record<string, string> : RouteParams<Pattern>;

type WithSuffix<Path extends string> = Path | `${Path}?${string}` | `${Path}#${string}`;

/** `/items/[id]` as the paths that fit it: `/items/${string}`. */
type ToPath<Pattern extends string> = Pattern extends `${infer Start}[${string}]${infer Rest}`
  ? `${Start}${string}${ToPath<Rest>}`
  : Pattern;
