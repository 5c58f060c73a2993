/** How often each task ran. */
export const counts = new Map<string, number>();
