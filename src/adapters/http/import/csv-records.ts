import { isUtf8 } from 'node:buffer';

import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import { cellsOf } from './csv-cells.ts';
import { charsetMessage, rowFaultMessage } from './csv-messages.ts';
import { findResume, type ResumePlace, type Shape } from './csv-resume.ts';
import { RowFramer, type Row } from './csv-rows.ts';
import type { RowLimits } from './row-limits.ts';

export interface CsvRecord {
  readonly line: number;
  readonly size: number;
  readonly cells: readonly string[];
  readonly faults: readonly string[];
}

export interface CsvOptions {
  readonly charset: string;
  readonly limits: RowLimits;
}

const SPACE = 0x20;
/** DOS ends a text with it, in a line of its own. */
const CTRL_Z = 0x1a;

const isBlank = (cell: string): boolean => cell.trim() === '';

export const readCells = (row: Row, bytes: Buffer, separator: string, { charset }: CsvOptions): CsvRecord => {
  const faults = isUtf8(bytes) ? [] : [charsetMessage(bytes, row.line, charset)];
  return { line: row.line, size: row.size, cells: cellsOf(bytes.toString('utf8'), separator), faults };
};

export class RecordReader {
  private readonly framer: RowFramer;
  private readonly shape: Shape;
  private hasWhole = false;

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
    for (const row of this.framer.end()) {
      for (const item of this.read(row)) yield item === null || 'message' in item ? item : this.last(item);
    }
  }

  /** A last row without its line end may be a part of one, where the rows before have all cells. */
  private last(record: CsvRecord): CsvRecord {
    if (!this.hasWhole || record.cells.length >= this.shape.width) return record;
    return { ...record, faults: [...record.faults, 'The file ends within this row.'] };
  }

  private *read(row: Row): Generator<CsvRecord | ImportFault | null> {
    if (row.bytes === null || row.fault !== null) yield* this.recover(row, findResume(row, this.shape));
    else {
      const resume = this.isSuspect(row) ? findResume(row, this.shape) : null;
      if (resume === null) yield this.record(row, row.bytes);
      else yield* this.recover({ ...row, fault: 'unclosed_quote' }, resume);
    }
  }

  /**
   * True when a later quote may have closed one that was left open: a row of several lines with too
   * many cells or a bare quote.
   */
  private isSuspect(row: Row): boolean {
    return row.lastLine > row.line && (!row.isStrict || row.cells > this.shape.width);
  }

  private record(row: Row, bytes: Buffer): CsvRecord | null {
    const { width } = this.shape;
    // A spreadsheet may end in a million of these rows.
    if (this.isOnlySeparators(bytes)) return null;
    const record = readCells(row, bytes, this.separator, this.options);
    if (record.cells.every(isBlank)) return null;
    this.hasWhole ||= record.cells.length >= width;
    if (record.cells.length <= width || record.cells.slice(width).every(isBlank)) return record;
    const excess = `The row has ${record.cells.length} cells, but the header has ${width}.`;
    return { ...record, faults: [...record.faults, excess] };
  }

  private isOnlySeparators(bytes: Buffer): boolean {
    const separator = this.separator.charCodeAt(0);
    if (bytes.length === 1 && bytes[0] === CTRL_Z) return true;
    return bytes.every((byte) => byte === separator || byte === SPACE);
  }

  /** Reports a row that can't be read, and reads those that its quotes swallowed. */
  private *recover(row: Row, resume: ResumePlace | null): Generator<CsvRecord | ImportFault | null> {
    yield { line: row.line, message: rowFaultMessage(row, this.options.limits, resume?.line ?? null) };
    if (resume === null || row.bytes === null) return;
    const framer = new RowFramer({ ...this.shape, line: resume.line });
    for (const found of framer.push(row.bytes.subarray(resume.at))) yield* this.read(found);
    for (const found of framer.end()) yield* this.read(found);
  }
}
