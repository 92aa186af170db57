/** The public text on an id that names no record of the store. */
export const notInStore = (field: string, id: string): string => `${field} ${id} does not exist in this store.`;

/** The public text on a unique value that another record has, for example `product <id>`. */
export const belongsTo = (field: string, value: string, owner: string): string => `${field} ${value} belongs to ${owner}.`;
