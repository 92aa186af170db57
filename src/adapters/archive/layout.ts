import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import { messageOf } from '../../domain/values/error.ts';
import { StartFailure } from '../startup/start-failure.ts';

export const ARCHIVE_MANIFEST = 'manifest.json';
export const FOOTER = 'footer.json';

/** A snapshot gives no length in advance, so the rows of a table are in parts of this size. */
export const PART_BYTES = 1_048_576;
export const ARCHIVE_CHUNK_BYTES = 262_144;

const PARTS = 999_999;

export const partName = (table: string, part: number): string => {
  if (part > PARTS) throw new Error(`The table ${table} is too large for an archive`);
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`;
};

export const tableOfPart = (name: string): string | null => /^tables\/(\w+)\/\d{6}\.copy$/.exec(name)?.[1] ?? null;

export const mediaName = (key: string): string => `media/${key}`;

export const keyOfMedia = (name: string): string | null => /^media\/(.+)$/.exec(name)?.[1] ?? null;

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Says in one line why a file can't be used. */
export const asFailure = (path: string, error: unknown): StartFailure => {
  if (error instanceof StartFailure) return error;
  const text = isOfSystem(error) ? `${path} cannot be read` : `${path} is damaged or incomplete`;
  return new StartFailure(`${text}: ${messageOf(error)}. Nothing was changed.`, { cause: error });
};

export const damaged = (path: string, why: string): StartFailure => asFailure(path, new Error(why));

export const foreign = (path: string): StartFailure => new StartFailure(`${path} is not a backup of Tenon.`);

const MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
/** The comment flag; no time, no system. */
const HEADER = Buffer.concat([MAGIC, Buffer.from([0x10, 0, 0, 0, 0, 0, 0xff])]);
/** No data: its checksum and its length are 0. */
const EMPTY = Buffer.from([0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/**
 * The end of an archive: a gzip member without data, whose comment is the SHA-256 of all bytes
 * before it. Other programs skip it. gzip's own checksum covers neither its header nor how the data
 * were compressed, so a changed byte could stay unnoticed.
 */
export const endOf = (sha256: string): Buffer => Buffer.concat([HEADER, Buffer.from(`sha256:${sha256}\0`), EMPTY]);

const END_BYTES = endOf('0'.repeat(64)).length;

export async function* chunksOf(file: FileHandle, end: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < end;) {
    const wanted = Math.min(ARCHIVE_CHUNK_BYTES, end - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Compares the digest at the end of the file with the bytes before. */
export const hasItsDigest = async (file: FileHandle): Promise<boolean> => {
  const { size } = await file.stat();
  if (size < END_BYTES) return false;
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(file, size - END_BYTES)) hash.update(chunk);
  const end = Buffer.alloc(END_BYTES);
  await file.read(end, 0, END_BYTES, size - END_BYTES);
  return end.equals(endOf(hash.digest('hex')));
};

export const looksLikeGzip = async (file: FileHandle): Promise<boolean> => {
  const start = Buffer.alloc(MAGIC.length);
  await file.read(start, 0, start.length, 0);
  return start.equals(MAGIC);
};
