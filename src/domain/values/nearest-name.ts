const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;

/**
 * Counts the letters that must be added, removed, replaced or swapped with the next one to make one
 * text of the other.
 */
const distance = (one: string, other: string): number => {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = at(last, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, isSwapped ? at(before, j - 2) + 1 : Infinity);
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
};

export interface NearestName {
  readonly name: string;
  readonly letters: number;
}

/**
 * The known name that is the most like the given one, and by how many letters they differ. Null
 * where none differs by at most this many.
 */
export const nearestName = (given: string, known: Iterable<string>, most = Infinity): NearestName | null => {
  let best: NearestName | null = null;
  for (const name of known) {
    if (Math.abs(name.length - given.length) > most) continue;
    const letters = distance(given, name);
    if (letters <= most && (best === null || letters < best.letters)) best = { name, letters };
  }
  return best;
};

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const withoutDigits = (name: string): string => name.replace(/\p{N}/gu, '');

/**
 * The name that was probably meant: it differs in one letter, or in case, blanks and marks. Null
 * without one. Option2 is not a slip of Option1.
 */
export const nameMeant = (given: string, names: readonly string[]): string | null => {
  const wanted = plain(given);
  if (wanted.length < 3) return null;
  const isSlip = (name: string): boolean => name === wanted || withoutDigits(name) !== withoutDigits(wanted);
  const meant = nearestName(wanted, names.map(plain).filter(isSlip), 1);
  return meant && (names.find((name) => plain(name) === meant.name) ?? null);
};
