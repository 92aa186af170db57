import type { Readable } from 'node:stream';

import type { ImportItem } from '../../../domain/product-import.ts';
import type { ProductDocument } from '../../../domain/product.ts';
import { parseJson } from '../json.ts';

/** 4 MiB: a longer line is skipped as it arrives and never held. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Judges a parsed line: the document, or what is wrong with it. */
export type ReadDocument = (value: unknown) => { readonly document: ProductDocument } | { readonly message: string };

interface Line {
  readonly line: number;
  /** Null when it was over the limit. */
  readonly bytes: Buffer | null;
}

/** The lines of the source without their ends. A source that breaks off throws. */
async function* readLines(source: Readable, maxBytes: number): AsyncGenerator<Line> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (part: Uint8Array): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const finish = (): Line => {
    const done = { line, bytes: size > maxBytes ? null : Buffer.concat(parts) };
    line += 1;
    parts = [];
    size = 0;
    return done;
  };
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    take(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);

const readLine = (bytes: Buffer, read: ReadDocument): ReturnType<ReadDocument> | null => {
  const plain = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  if (isBlank(plain)) return null;
  const parsed = parseJson(plain);
  return parsed.ok ? read(parsed.value) : { message: parsed.message.replace('The body', 'the line') };
};

/**
 * The product documents of newline-delimited JSON, one a line, read as they come; blank lines, Windows line ends and a byte-order mark
 * are let pass. A line that can't be read is reported and left out.
 */
export async function* readNdjson(source: Readable, read: ReadDocument, maxBytes = MAX_LINE_BYTES): AsyncGenerator<ImportItem> {
  for await (const { line, bytes } of readLines(source, maxBytes)) {
    const item = bytes === null ? { message: `the line is longer than ${maxBytes} bytes` } : readLine(bytes, read);
    if (item !== null) yield { line, size: bytes?.length ?? 0, ...item };
  }
}
