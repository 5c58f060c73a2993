/** The answer to a request for the data of a page. */
export type DataAnswer = { data: unknown } | { redirect: string };
