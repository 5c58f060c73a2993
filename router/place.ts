import { createContext } from 'react';

/** The path and query of the page. `undefined` on a server, which renders for its own path and query. */
export const PlaceContext: React.Context<{ pathname: string; search: string } | undefined> = createContext<
  { pathname: string; search: string } | undefined
>(undefined);
