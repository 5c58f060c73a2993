import { createContext } from 'react';

/** The page's path and query. `undefined` on a server, which uses the path and query that it renders for. */
export const PlaceContext: React.Context<{ pathname: string; search: string } | undefined> = createContext<
  { pathname: string; search: string } | undefined
>(undefined);
