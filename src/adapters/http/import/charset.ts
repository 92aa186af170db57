import { StringDecoder } from 'node:string_decoder';

import { inSlices } from './pace.ts';
import { peek } from './peek.ts';

/** A byte that never occurs in UTF-8. It replaces bytes that are invalid in the file's charset. */
const INVALID = Buffer.from([0xff]);
const UTF_16LE_MARK = Buffer.from([0xff, 0xfe]);
const UTF_16BE_MARK = Buffer.from([0xfe, 0xff]);
const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

type Decode = (chunk: Uint8Array | null) => string;

/**
 * Half surrogate pairs are kept, where TextDecoder would make U+FFFD of them as of nothing else.
 */
const decodeUtf16 = (isBigEndian: boolean): Decode => {
  const decoder = new StringDecoder('utf16le');
  let odd = Buffer.alloc(0);
  return (chunk) => {
    if (chunk === null) return `${decoder.end()}${odd.length > 0 ? '\uD800' : ''}`;
    const bytes = Buffer.concat([odd, chunk]);
    const even = bytes.length - (bytes.length % 2);
    odd = bytes.subarray(even);
    const whole = bytes.subarray(0, even);
    return decoder.write(isBigEndian ? whole.swap16() : whole);
  };
};

/** Only GB 18030 has U+FFFD among these charsets, so that it means bytes that are not in the charset. */
const decodeLegacy = (charset: string): Decode => {
  const decoder = new TextDecoder(charset);
  return (chunk) => {
    // Always streaming: at once, Node 20 takes windows-1252 for ISO 8859-1.
    const text = chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
    return text.replaceAll('\uFFFD', '\uD800');
  };
};

const encode = (text: string): Buffer => {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/\p{Surrogate}/u).flatMap((part) => [INVALID, Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
};

async function* withoutMark(source: AsyncIterable<Uint8Array>, mark: Buffer): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of source) {
    if (start === null) yield chunk;
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < mark.length && mark.subarray(0, start.length).equals(start)) continue;
      yield start.subarray(0, mark.length).equals(mark) ? start.subarray(mark.length) : start;
      start = null;
    }
  }
  if (start !== null && start.length > 0) yield start;
}

async function* decoded(source: AsyncIterable<Uint8Array>, decode: Decode): AsyncGenerator<Uint8Array> {
  for await (const slice of inSlices(source)) yield encode(decode(slice));
  yield encode(decode(null));
}

const decodedFrom = (source: AsyncIterable<Uint8Array>, charset: string): AsyncIterable<Uint8Array> => {
  switch (charset) {
    case 'utf-8':
      return withoutMark(source, UTF_8_MARK);
    case 'utf-16le':
      return decoded(withoutMark(source, UTF_16LE_MARK), decodeUtf16(false));
    case 'utf-16be':
      return decoded(withoutMark(source, UTF_16BE_MARK), decodeUtf16(true));
    default:
      return decoded(source, decodeLegacy(charset));
  }
};

const MARKS = { 'utf-8': UTF_8_MARK, 'utf-16le': UTF_16LE_MARK, 'utf-16be': UTF_16BE_MARK };

/** The charset of the byte-order mark at the start, if there is one. */
export const charsetOfMark = (start: Buffer): string | undefined =>
  Object.entries(MARKS).find(([, mark]) => start.subarray(0, mark.length).equals(mark))?.[0];

/**
 * The text as UTF-8 without a byte-order mark. What is not valid in its charset is not valid UTF-8
 * either, and nothing else is: so a reader knows a U+FFFD of the file from a broken character.
 * `charset` comes from `charsetOf`. A byte-order mark says it better.
 */
export async function* toUtf8(source: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<Uint8Array> {
  const { start, whole } = await peek(source, UTF_8_MARK.length);
  yield* decodedFrom(whole, charsetOfMark(start) ?? charset);
}
