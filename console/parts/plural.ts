/** A count with its noun, as the reader writes numbers: `1 event`, `12,345 events`. */
export const plural = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? one : several}`;

/** Of a list that comes in pages without a total. */
export const onThisPage = (items: readonly unknown[], one: string, several?: string): string =>
  `${plural(items.length, one, several)} on this page`;

/** Of a list that comes in pages: how many of all are shown. One alone is not said to be one of one. */
export const ofTotal = (items: readonly unknown[], total: number, one: string): string =>
  total === 1 && items.length === 1 ? plural(1, one) : `${items.length.toLocaleString()} of ${plural(total, one)}`;
