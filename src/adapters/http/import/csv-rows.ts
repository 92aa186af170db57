export interface RowLimits {
  readonly bytes: number;
  readonly cells: number;
}

/**
 * A longer row is skipped as it arrives and never held. The cells bound what a row of separators
 * makes.
 */
export const ROW_LIMITS: RowLimits = { bytes: 4 * 1024 * 1024, cells: 1_000 };

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

type RowFault = 'too_long' | 'too_many_cells' | 'text_after_quote' | 'blank_before_quote' | 'unclosed_quote';

/**
 * A row of the file without its line end. A quoted cell may hold line breaks, so a row may be
 * several lines.
 */
export interface Row {
  readonly line: number;
  readonly lastLine: number;
  readonly at: number;
  readonly size: number;
  readonly cells: number;
  /** Null when the row is over a limit: its bytes are skipped as they come and never held. */
  readonly bytes: Buffer | null;
  readonly fault: RowFault | null;
  readonly quoteLine: number;
  /** True when every quote opens, closes or escapes: none is a character of an unquoted cell. */
  readonly isStrict: boolean;
  readonly isOpen: boolean;
}

interface FramerOptions {
  /** Character between cells, or all candidates. */
  readonly separators: string;
  /** The line of the first byte, from 1. */
  readonly line: number;
  readonly limits: RowLimits;
}

/**
 * Finds the rows in bytes that come in slices: where each begins and ends and whether its quotes
 * are sound, within limits. The cells are read by a library. No library has limits for each row,
 * continues after a bad row and reports the line of an open quote.
 */
export class RowFramer {
  private readonly kinds: Uint8Array;
  private readonly limits: RowLimits;
  private state = START;
  private line: number;
  private offset = 0;
  private last = 0;
  private openedAt = 0;
  private row: { line: number; at: number; size: number; cells: number; parts: Buffer[] };
  private fault: RowFault | null = null;
  private faultLine = 0;
  private isStrict = true;

  constructor({ separators, line, limits }: FramerOptions) {
    this.kinds = kindsOf(separators);
    this.limits = limits;
    this.line = line;
    this.row = { line, at: 0, size: 0, cells: 1, parts: [] };
  }

  /**
   * The rows that end within the slice, without blank lines. Must be read to its end before the
   * next slice.
   */
  *push(slice: Buffer): Generator<Row> {
    let from = 0;
    for (let at = 0; at < slice.length; at += 1) {
      const kind = this.kinds[slice[at] ?? 0] ?? OTHER;
      if (kind !== END) {
        this.step(kind);
        continue;
      }
      const isSecondHalf = this.isSecondHalf(slice, at);
      if (this.state === QUOTED) {
        if (!isSecondHalf) this.line += 1;
        continue;
      }
      if (!isSecondHalf) {
        this.keep(slice.subarray(from, at));
        if (this.row.size > 0) yield this.finish();
        this.line += 1;
      }
      from = at + 1;
      this.begin(this.offset + from);
    }
    this.keep(slice.subarray(from));
    this.offset += slice.length;
    this.last = slice[slice.length - 1] ?? this.last;
  }

  /** The last row, where the file does not end with a line end. */
  *end(): Generator<Row> {
    if (this.state === QUOTED) this.blame('unclosed_quote', this.openedAt);
    if (this.row.size > 0) yield this.finish();
  }

  private isSecondHalf(slice: Buffer, at: number): boolean {
    return slice[at] === LF && (at > 0 ? slice[at - 1] : this.last) === CR;
  }

  private step(kind: number): void {
    const next = NEXT[this.state * 4 + kind] ?? START;
    this.state = next & STATE;
    if (next > STATE) this.note(next);
  }

  private note(step: number): void {
    if (step & CELL && (this.row.cells += 1) > this.limits.cells) this.blame('too_many_cells', this.line);
    if (step & OPENS) this.openedAt = this.line;
    if (step & LOOSE) this.isStrict = false;
    if (step & STRAY) this.blame('text_after_quote', this.openedAt);
    if (step & EARLY) this.blame('blank_before_quote', this.line);
  }

  private blame(fault: RowFault, line: number): void {
    if (this.fault !== null) return;
    this.fault = fault;
    this.faultLine = line;
  }

  private keep(part: Buffer): void {
    const { row } = this;
    row.size += part.length;
    if (row.size > this.limits.bytes) this.blame('too_long', this.line);
    if (row.size > this.limits.bytes || row.cells > this.limits.cells) row.parts = [];
    else if (part.length > 0) row.parts.push(part);
  }

  private finish(): Row {
    const { line, at, size, cells, parts } = this.row;
    const isOver = size > this.limits.bytes || cells > this.limits.cells;
    // Field by field: a copy of the object takes longer than the rest of a short row.
    return {
      line,
      at,
      size,
      cells,
      lastLine: this.line,
      bytes: isOver ? null : parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
      fault: this.fault,
      quoteLine: this.fault === null || this.fault === 'too_long' ? this.openedAt : this.faultLine,
      isStrict: this.isStrict,
      isOpen: this.state === QUOTED,
    };
  }

  private begin(at: number): void {
    this.row = { line: this.line, at, size: 0, cells: 1, parts: [] };
    this.state = START;
    this.fault = null;
    this.isStrict = true;
  }
}
