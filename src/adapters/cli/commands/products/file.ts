import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';

import { charsetOf } from '../../../../domain/values/charset.ts';
import type { CliInput } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const TYPES: Readonly<Record<Format, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };
const BY_ENDING: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export interface CatalogueFile {
  readonly contentType: string;
  /** Bytes; null when only the end will show it. */
  readonly size: number | null;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Ends a read that still waits, so that the process can end. */
  readonly close: () => void;
}

const mistake = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);

async function* bytesOf(input: CliInput): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    isEmpty &&= bytes.length === 0;
    yield bytes;
  }
  if (isEmpty) throw mistake('Standard input is empty.');
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by you',
};

/** The bytes of a file that can be read now, or why it can't. */
const sizeOf = async (path: string): Promise<number | null> => {
  const found = await stat(path).catch((error: unknown) => {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw mistake(`${path} ${REASONS[code] ?? `cannot be read: ${message}`}.`);
  });
  if (found.isDirectory()) throw mistake(`${path} is a directory. Give a file.`);
  if (!found.isFile()) return null;
  if (found.size === 0) throw mistake(`${path} is empty.`);
  return found.size;
};

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw mistake(`${path} ${REASONS[code] ?? `cannot be read: ${message}`}.`);
  }
}

/** The file to import, or standard input for `-`. Throws a CommandFailure that says what is wrong with it. */
export const openCatalogue = async (
  path: string,
  stdin: CliInput,
  { format, charset }: { readonly format?: Format | undefined; readonly charset?: string | undefined },
): Promise<CatalogueFile> => {
  if (charset !== undefined && charsetOf(charset) === null)
    throw mistake(`There is no charset ${charset}. Give a name of the Encoding Standard, such as windows-1252 or utf-16le.`);
  const kind = format ?? BY_ENDING[extname(path).toLowerCase()];
  if (kind === undefined) {
    const which = path === '-' ? 'what comes from standard input' : path;
    throw mistake(`Give the format of ${which}: --format csv or --format ndjson.`);
  }
  const contentType = charset === undefined ? TYPES[kind] : `${TYPES[kind]}; charset=${charset}`;
  if (path !== '-') return { contentType, size: await sizeOf(path), bytes: readable(path), close: () => undefined };
  if (stdin.isTTY) throw mistake('Standard input is a terminal. Pipe a file into the command, or give its name.');
  return { contentType, size: null, bytes: bytesOf(stdin), close: () => void stdin.destroy?.() };
};
