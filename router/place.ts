import { createContext } from 'react';

/** The path and query of the page. `undefined` on a server, where they are those it renders for. */
export const PlaceContext: React.Context<{ pathname: string; search: string } | undefined> = createContext<
  { pathname: string; search: string } | undefined
>(undefined);
