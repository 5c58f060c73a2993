/** The name in the query by which the client asks for the data of a page alone, at the page's own URL. */
export declare const DATA_PARAMETER = "_appkit_data";
/** The answer to a request for the data of a page. */
export type DataAnswer = {
    data: unknown;
} | {
    redirect: string;
};
