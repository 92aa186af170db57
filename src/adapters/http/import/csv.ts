import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import { SEPARATORS, separatorOf, readCells, RecordReader, type CsvOptions, type CsvRecord } from './csv-records.ts';
import { rowFaultMessage } from './csv-messages.ts';
import { RowFramer, type Row } from './csv-rows.ts';
import { inSlices, Pace } from './pace.ts';

/** Excel writes and reads this line before the header. The header shows its separator itself. */
const isSeparatorLine = ({ bytes, size }: Row): boolean =>
  size <= 8 && bytes !== null && /^"?sep=.?"?$/i.test(bytes.toString('latin1'));

/**
 * Gathers the header: the first row that is not blank. Its separator is known only when it is
 * whole.
 */
class HeaderReader {
  private readonly framer: RowFramer;
  private offset = 0;

  constructor(private readonly options: CsvOptions) {
    this.framer = new RowFramer({ separators: SEPARATORS.join(''), line: 1, limits: options.limits });
  }

  /** The header with what follows it in the slice; null as long as it has not ended. */
  push(slice: Buffer): { header: CsvRecord | ImportFault; reader: RecordReader | null; rest: Buffer } | null {
    for (const row of this.framer.push(slice)) {
      if (isSeparatorLine(row)) continue;
      // The line end is left to the rows: it counts there.
      return { ...this.read(row), rest: slice.subarray(row.at + row.size - this.offset) };
    }
    this.offset += slice.length;
    return null;
  }

  end(): CsvRecord | ImportFault {
    for (const row of this.framer.end()) if (!isSeparatorLine(row)) return this.read(row).header;
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
 * The rows of a CSV file of UTF-8 bytes, the header first; blank rows are left out. The separator
 * is that of the header. A row that cannot be read is reported, and the next rows are read. A
 * header that cannot be read is the only report. A failing source throws.
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
