/** A count with its noun: `1 key`, `2 keys`, `12,345 rows`. */
export const plural = (count: number, one: string, several = `${one}s`, shown = count.toLocaleString('en')): string =>
  `${shown} ${count === 1 ? one : several}`;
