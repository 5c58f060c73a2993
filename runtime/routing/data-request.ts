/** The name in the query by which the client asks for the data of a page alone, at the page's own URL. */
export const DATA_PARAMETER = '_appkit_data';
