import { isUtf8 } from 'node:buffer';

import type { Field, Fields, RecordField } from '../../../domain/fields/kinds.ts';
import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import { type FileNote, NAME_CHARSET, type ImportItem } from '../../../domain/catalogue/product-import.ts';
import type { ProductDocument } from '../../../domain/catalogue/product.ts';
import { refuse, type Result } from '../../../domain/result.ts';
import { parseJson, type JsonValue, type ParsedJson } from '../serving/input/json.ts';
import { toUtf8 } from './charset.ts';
import { sourceOf } from './file-kind.ts';
import { count, damagedNote, isDamagedCode, trimmedNote, unchanged, unreadName, unreadNote, type Unread } from './note-texts.ts';
import { inSlices, Pace, SLICE_BYTES } from './pace.ts';

/** A file may have another unknown name in each line. */
const MAX_KEPT = 1_000;

const CODES: readonly string[] = ['variants.sku', 'variants.barcode'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Members of a file's documents that are not read, or not kept unchanged. */
class MemberNotes {
  private readonly unread = new Map<string, Unread>();
  private readonly trimmedMembers = new Set<string>();
  private readonly trimmed = unchanged();
  private readonly damaged = unchanged();
  private readonly damagedMembers = new Set<string>();
  private line = 0;

  add(line: number, document: unknown): void {
    this.line = line;
    this.look(PRODUCT, document, '');
  }

  all(): FileNote[] {
    const messages = [...unreadNote('members', [...this.unread.values()]), ...trimmedNote(this.trimmed, this.trimmedMembers)];
    messages.push(...damagedNote(this.damaged, this.damagedMembers));
    return messages.map((message) => ({ about: { line: 1, message } }));
  }

  private look(field: Field, given: unknown, path: string): void {
    if (field.kind === 'text' && field.trim === true && typeof given === 'string' && given.trim() !== given) {
      this.trimmedMembers.add(path);
      count(this.trimmed, this.line);
    }
    if (CODES.includes(path)) this.judge(given, path);
    if (!isObject(given)) return;
    if (field.kind === 'record') this.lookAt(field, given, path);
    if (field.kind === 'list' || field.kind === 'map') for (const part of Object.values(given)) this.look(field.of, part, path);
  }

  private judge(code: unknown, path: string): void {
    if (typeof code !== 'string' || !isDamagedCode(code)) return;
    this.damagedMembers.add(path);
    count(this.damaged, this.line);
  }

  private lookAt({ fields, nests }: RecordField, given: Readonly<Record<string, unknown>>, path: string): void {
    for (const [name, value] of Object.entries(given)) {
      const full = path === '' ? name : `${path}.${name}`;
      // A nested document is of the same kind, without another in it.
      const nested: Field = { kind: 'record', isRow: true, fields };
      const field = name === nests ? nested : Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) this.look(field, value, full);
      else this.miss(name, full, given, fields);
    }
  }

  private miss(name: string, full: string, given: object, fields: Fields): void {
    if (this.unread.size >= MAX_KEPT || this.unread.has(full)) return;
    const absent = Object.keys(fields).filter((field) => !Object.hasOwn(given, field));
    this.unread.set(full, unreadName(name, absent, full));
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b]);

const behindString = (bytes: Buffer, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
};

/**
 * Counts the values that JSON text has at most, without parsing it: its commas, arrays and objects,
 * and one.
 */
const countValues = (bytes: Buffer): number => {
  let count = 1;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = behindString(bytes, at);
    else {
      if (byte === COMMA || OPENERS.has(byte)) count += 1;
      at += 1;
    }
  }
  return count;
};

/** 4 MiB: a longer line is skipped as it arrives and never held. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/**
 * More than a product of 2,048 variants has. The time that a line takes goes by its values more
 * than by its bytes.
 */
const MAX_LINE_VALUES = 150_000;
const NEWLINE = 0x0a;

export type ReadDocument = (json: JsonValue) => Result<ProductDocument, 'invalid'>;

interface NdjsonOptions {
  readonly charset: string;
  readonly maxBytes: number;
}

interface Line {
  readonly line: number;
  readonly bytes: Buffer | null;
}

class Lines {
  private line = 1;
  private parts: Buffer[] = [];
  private size = 0;
  constructor(private readonly maxBytes: number) {}

  *push(slice: Buffer): Generator<Line> {
    let from = 0;
    for (let end = slice.indexOf(NEWLINE); end !== -1; end = slice.indexOf(NEWLINE, from)) {
      this.take(slice.subarray(from, end));
      yield this.finish();
      from = end + 1;
    }
    this.take(slice.subarray(from));
  }

  *end(): Generator<Line> {
    if (this.size > 0) yield this.finish();
  }

  private take(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.maxBytes) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  private finish(): Line {
    const [first, ...rest] = this.parts;
    const whole = first && rest.length === 0 ? first : Buffer.concat(this.parts);
    const done = { line: this.line, bytes: this.size > this.maxBytes ? null : whole };
    this.line += 1;
    this.parts = [];
    this.size = 0;
    return done;
  }
}

/** DOS ends a text with it. */
const CTRL_Z = 0x1a;

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09 || byte === CTRL_Z);

/** The value of the line. Null for a blank one. */
const parseLine = (bytes: Buffer, charset: string): ParsedJson | null => {
  if (isBlank(bytes)) return null;
  if (!isUtf8(bytes))
    return refuse('invalid', `The line is not valid ${charset.toUpperCase()}.${charset === 'utf-8' ? ` ${NAME_CHARSET}` : ''}`);
  // A shorter line cannot have as many.
  if (bytes.length > MAX_LINE_VALUES && countValues(bytes) > MAX_LINE_VALUES) {
    return refuse('invalid', `The line has more than ${MAX_LINE_VALUES} values.`);
  }
  const parsed = parseJson(bytes, MAX_LINE_VALUES);
  return parsed.ok ? parsed : refuse('invalid', parsed.message.replace('The body', 'The line'));
};

/**
 * The product documents of newline-delimited JSON, one a line, read as they come; blank lines,
 * Windows line ends and a byte-order mark are let pass. A line that can't be read is reported and
 * left out. The notes on the file come last.
 */
export async function* readNdjson(
  source: AsyncIterable<Uint8Array>,
  read: ReadDocument,
  { charset = 'utf-8', maxBytes = MAX_LINE_BYTES }: Partial<NdjsonOptions> = {},
): AsyncGenerator<ImportItem> {
  const file = await sourceOf(source, 'ndjson', charset);
  if ('message' in file) {
    yield file;
    return;
  }
  const pace = new Pace();
  const lines = new Lines(maxBytes);
  const notes = new MemberNotes();
  const itemOf = async ({ line, bytes }: Line): Promise<ImportItem | null> => {
    if (bytes === null) return { line, message: `The line is longer than ${maxBytes} bytes.` };
    const parsed = parseLine(bytes, charset);
    if (parsed === null) return null;
    // Parsing a large line is a slice of work by itself, and so is judging it.
    if (bytes.length > SLICE_BYTES) await pace.turn();
    const document = parsed.ok ? read(parsed) : parsed;
    if (!document.ok) return { line, message: document.message };
    if (parsed.ok) notes.add(line, parsed.value);
    return { line, size: bytes.length, document: document.value };
  };
  const paced = async function* (found: Generator<Line>): AsyncGenerator<ImportItem> {
    for (const line of found) {
      const item = await itemOf(line);
      if (item !== null) yield item;
      if (pace.isDueAfterItem(line.bytes?.length ?? 0)) await pace.turn();
    }
  };
  for await (const slice of inSlices(toUtf8(file, charset))) yield* paced(lines.push(slice));
  yield* paced(lines.end());
  yield* notes.all();
}
