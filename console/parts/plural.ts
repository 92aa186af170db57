/** A count with its noun, as the reader writes numbers: `1 event`, `12,345 events`. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : several}`;

/** For a list in pages without a total. */
export const onThisPage = (items: readonly unknown[], one: string, several?: string): string =>
  `${plural(items.length, one, several)} on this page`;

/** For a list in pages: the shown items out of all. A single item is not called one of one. */
export const ofTotal = (items: readonly unknown[], total: number, one: string): string =>
  total === 1 && items.length === 1 ? plural(1, one) : `${items.length.toLocaleString()} of ${plural(total, one)}`;
