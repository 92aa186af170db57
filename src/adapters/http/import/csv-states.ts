const LF = 0x0a;
const CR = 0x0d;

/** The kind of a byte. In UTF-8, no longer character contains these bytes. */
const [OTHER, QUOTE, SEPARATOR, BLANK, END] = [0, 1, 2, 3, 4];
/**
 * States of the framer in a cell: before it, in blanks before it, in an unquoted or a quoted one,
 * at a quote in that, in blanks after that.
 */
const [START, LEAD, PLAIN, QUOTED, CLOSED, AFTER] = [0, 1, 2, 3, 4, 5];
const STATE = 7;
/** Flags of a step besides its state. */
const [CELL, OPENS, LOOSE, STRAY, EARLY] = [8, 16, 32, 64, 128];

/**
 * By state, then by byte: other, quote, separator, blank. A closing quote with text after it is
 * taken as a character of the cell, so that the row ends where a reader of the file would see its
 * end; the row is at fault all the same.
 */
const NEXT: readonly number[] = [
  ...[PLAIN, QUOTED | OPENS, START | CELL, LEAD],
  ...[PLAIN, QUOTED | OPENS | EARLY, START | CELL, LEAD],
  ...[PLAIN, PLAIN | LOOSE, START | CELL, PLAIN],
  ...[QUOTED, CLOSED, QUOTED, QUOTED],
  ...[QUOTED | STRAY, QUOTED, START | CELL, AFTER],
  ...[QUOTED | STRAY, CLOSED | STRAY, START | CELL, AFTER],
];

const kindsOf = (separators: string): Uint8Array => {
  const kinds = new Uint8Array(256).fill(OTHER);
  kinds[0x20] = BLANK;
  kinds[0x09] = BLANK;
  kinds[0x22] = QUOTE;
  kinds[LF] = END;
  kinds[CR] = END;
  for (const separator of separators) kinds[separator.charCodeAt(0)] = SEPARATOR;
  return kinds;
};

export { CELL, CR, EARLY, END, kindsOf, LF, LOOSE, NEXT, OPENS, OTHER, QUOTED, START, STATE, STRAY };
