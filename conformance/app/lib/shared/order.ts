/** Which of the modules beside it have been evaluated, in that order. */
export const order: string[] = [];
