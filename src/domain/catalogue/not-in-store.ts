/** The public text on an id that names no record of the store. */
export const notInStore = (field: string, id: string): string => `${field} ${id} does not exist in this store.`;
