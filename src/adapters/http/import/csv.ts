import { isUtf8 } from 'node:buffer';

import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import { cellsOf, SEPARATORS, separatorOf } from './csv-cells.ts';
import { charsetMessage, rowFaultMessage } from './csv-messages.ts';
import { findResume } from './csv-resume.ts';
import type { Place, Shape } from './csv-resume.ts';
import { RowFramer } from './csv-rows.ts';
import type { Row, RowLimits } from './csv-rows.ts';
import { inSlices, Pace } from './pace.ts';

/** A longer row is skipped as it arrives and never held. The cells bound what a row of separators makes. */
export const ROW_LIMITS: RowLimits = { bytes: 4 * 1024 * 1024, cells: 1_000 };

export interface CsvRecord {
  /** Where it begins, from 1; a quoted cell may hold line breaks. */
  readonly line: number;
  readonly size: number;
  readonly cells: readonly string[];
  /** Why its cells must not be used, though they can be read. */
  readonly faults: readonly string[];
}

export interface CsvOptions {
  /** What the bytes were in before they became UTF-8, for the messages. */
  readonly charset: string;
  readonly limits: RowLimits;
}

const isBlank = (cell: string): boolean => cell.trim() === '';

const readCells = (row: Row, bytes: Buffer, separator: string, { charset }: CsvOptions): CsvRecord => {
  const faults = isUtf8(bytes) ? [] : [charsetMessage(bytes, row.line, charset)];
  return { line: row.line, size: row.size, cells: cellsOf(bytes.toString('utf8'), separator), faults };
};

/** The rows behind the header. */
class RecordReader {
  private readonly framer: RowFramer;
  private readonly shape: Shape;

  constructor(
    header: CsvRecord,
    private readonly separator: string,
    line: number,
    private readonly options: CsvOptions,
  ) {
    this.shape = { separators: separator, width: header.cells.length, limits: options.limits };
    this.framer = new RowFramer({ ...this.shape, line });
  }

  *push(slice: Buffer): Generator<CsvRecord | ImportFault | null> {
    for (const row of this.framer.push(slice)) yield* this.read(row);
  }

  *end(): Generator<CsvRecord | ImportFault | null> {
    for (const row of this.framer.end()) yield* this.read(row);
  }

  private *read(row: Row): Generator<CsvRecord | ImportFault | null> {
    if (row.bytes === null || row.fault !== null) yield* this.recover(row, findResume(row, this.shape));
    else {
      const resume = this.isSuspect(row) ? findResume(row, this.shape) : null;
      if (resume === null) yield this.record(row, row.bytes);
      else yield* this.recover({ ...row, fault: 'unclosed_quote' }, resume);
    }
  }

  /** Whether a later quote may have closed one that was left open: a row of several lines with too many cells or a bare quote. */
  private isSuspect(row: Row): boolean {
    return row.lastLine > row.line && (!row.isStrict || row.cells > this.shape.width);
  }

  /** Null for a row without any text. */
  private record(row: Row, bytes: Buffer): CsvRecord | null {
    const { width } = this.shape;
    const record = readCells(row, bytes, this.separator, this.options);
    if (record.cells.every(isBlank)) return null;
    if (record.cells.length <= width || record.cells.slice(width).every(isBlank)) return record;
    const excess = `The row has ${record.cells.length} cells, but the header has ${width}.`;
    return { ...record, faults: [...record.faults, excess] };
  }

  /** Reports a row that can't be read, and reads those that its quotes swallowed. */
  private *recover(row: Row, resume: Place | null): Generator<CsvRecord | ImportFault | null> {
    yield { line: row.line, message: rowFaultMessage(row, this.options.limits, resume?.line ?? null) };
    if (resume === null || row.bytes === null) return;
    const framer = new RowFramer({ ...this.shape, line: resume.line });
    for (const found of framer.push(row.bytes.subarray(resume.at))) yield* this.read(found);
    for (const found of framer.end()) yield* this.read(found);
  }
}

/** Gathers the header: the first row that is not blank. Its separator is known only when it is whole. */
class HeaderReader {
  private readonly framer: RowFramer;
  private offset = 0;

  constructor(private readonly options: CsvOptions) {
    this.framer = new RowFramer({ separators: SEPARATORS.join(''), line: 1, limits: options.limits });
  }

  /** The header with what follows it in the slice; null as long as it has not ended. */
  push(slice: Buffer): { header: CsvRecord | ImportFault; reader: RecordReader | null; rest: Buffer } | null {
    for (const row of this.framer.push(slice)) {
      // The line end is left to the rows: it counts there.
      return { ...this.read(row), rest: slice.subarray(row.at + row.size - this.offset) };
    }
    this.offset += slice.length;
    return null;
  }

  end(): CsvRecord | ImportFault {
    for (const row of this.framer.end()) return this.read(row).header;
    return { line: 1, message: 'The file is empty. Its first line must be the names of the columns.' };
  }

  private read(row: Row): { header: CsvRecord | ImportFault; reader: RecordReader | null } {
    if (row.bytes === null || row.fault !== null) {
      const message = `The names of the columns cannot be read. ${rowFaultMessage(row, this.options.limits, null)}`;
      return { header: { line: row.line, message }, reader: null };
    }
    const separator = separatorOf(row.bytes.toString('utf8'));
    const header = readCells(row, row.bytes, separator, this.options);
    if (header.faults.length > 0) return { header: { line: row.line, message: header.faults.join(' ') }, reader: null };
    return { header, reader: new RecordReader(header, separator, row.lastLine, this.options) };
  }
}

/**
 * The rows of a CSV file of UTF-8 bytes, the header first; blank rows are left out. The separator is that of the header. A row that
 * cannot be read is reported, and the next rows are read. A header that cannot be read is the only report. A failing source throws.
 */
export async function* readCsv(source: AsyncIterable<Uint8Array>, options: CsvOptions): AsyncGenerator<CsvRecord | ImportFault> {
  const pace = new Pace();
  const start = new HeaderReader(options);
  let reader: RecordReader | null = null;
  const paced = async function* (items: Generator<CsvRecord | ImportFault | null>): AsyncGenerator<CsvRecord | ImportFault> {
    for (const item of items) {
      if (item !== null) yield item;
      if (pace.isDueAfterItem(item !== null && 'size' in item ? item.size : 0)) await pace.turn();
    }
  };
  for await (const slice of inSlices(source)) {
    if (reader !== null) {
      yield* paced(reader.push(slice));
      continue;
    }
    const found = start.push(slice);
    if (found === null) continue;
    yield found.header;
    if (found.reader === null) return;
    reader = found.reader;
    yield* paced(reader.push(found.rest));
  }
  if (reader === null) yield start.end();
  else yield* paced(reader.end());
}
