import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Extract } from 'tar-stream';

import { StartFailure } from '../startup/start-failure.ts';
import {
  asFailure,
  damaged,
  chunksOf,
  ARCHIVE_CHUNK_BYTES,
  foreign,
  hasItsDigest,
  looksLikeGzip,
  FOOTER,
  keyOfMedia,
  ARCHIVE_MANIFEST,
  PART_BYTES,
  tableOfPart,
} from './layout.ts';
import { type Footer, type ArchiveManifest, footerSchema, formatSchema, isNewer, manifestSchema } from './manifest.ts';
import { digestOf, type TableDigest, linesOf } from './table-digest.ts';

const unpack = async (file: FileHandle, target: Extract, signal: AbortSignal): Promise<void> => {
  await pipeline(
    chunksOf(file, Infinity),
    createGunzip({ chunkSize: ARCHIVE_CHUNK_BYTES }),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) if (!target.write(chunk)) await once(target, 'drain', { signal });
    },
    { signal },
  );
  target.end(null);
};

interface TarEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Buffer>;
}

async function* bytesOf(path: string, entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry) yield chunk as Buffer;
  } catch (error) {
    throw asFailure(path, error);
  }
}

/**
 * The entries of a tar file in gzip, each with its bytes. The reader must read each entry to its
 * end. Throws a StartFailure when the file can't be read or is damaged.
 */
async function* tarEntries(path: string, file: FileHandle): AsyncGenerator<TarEntry> {
  const target = extract();
  const ending = new AbortController();
  let unpacking = Promise.resolve();
  let failure: Error | undefined;
  try {
    unpacking = unpack(file, target, ending.signal).catch((error: unknown) => {
      failure = error as Error;
      target.destroy(failure);
    });
    for await (const entry of target)
      yield { name: entry.header.name, sizeBytes: entry.header.size, bytes: bytesOf(path, entry) };
    await unpacking;
    // The last bytes of the file, which have its checksum, come after the last entry.
    if (failure !== undefined) throw failure;
  } catch (error) {
    throw asFailure(path, error);
  } finally {
    ending.abort();
    target.destroy();
    await unpacking;
  }
}

const contentOf = async (path: string, { name, sizeBytes, bytes }: TarEntry, limit: number): Promise<Buffer> => {
  if (sizeBytes > limit) throw damaged(path, `${name} is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Follows the entries of an archive, and compares them with its footer. Each method gives what is wrong, or null. */
interface ArchiveCheck {
  rows(table: string, bytes: Buffer): string | null;
  media(): string | null;
  footer(footer: Footer): string | null;
  isEnded(): boolean;
}

const checkArchive = (manifest: ArchiveManifest, manifestDigest: string): ArchiveCheck => {
  const digests = manifest.tables.map(({ name }): TableDigest => digestOf(name));
  let at = 0;
  let media = 0;
  let isEnded = false;

  return {
    rows: (table, bytes) => {
      const found = digests.findIndex((digest, index) => index >= at && digest.table === table);
      if (found === -1 || media > 0 || isEnded) return `rows of ${table} are not where they belong`;
      at = found;
      digests[at]?.add(bytes);
      return null;
    },
    media: () => {
      media += 1;
      return isEnded || !manifest.media ? 'a media file is not where it belongs' : null;
    },
    footer: (footer) => {
      if (isEnded) return 'it has two ends';
      isEnded = true;
      if (footer.manifest !== manifestDigest) return 'its manifest was changed';
      if (footer.media !== media) return `it has ${media} of ${footer.media} media files`;
      const figures = digests.map((digest) => digest.figures());
      const wrong = figures.find((figure, index) => JSON.stringify(figure) !== JSON.stringify(footer.tables[index]));
      if (wrong !== undefined) return `the rows of ${wrong.name} are not those that were written`;
      return footer.tables.length === figures.length ? null : 'tables are missing';
    },
    isEnded: () => isEnded,
  };
};

interface Rows {
  readonly kind: 'rows';
  readonly table: string;
  /** A part of the lines of a snapshot. It may end in the middle of a row. */
  readonly bytes: Buffer;
  readonly rows: number;
}

export interface MediaFileEntry {
  readonly kind: 'media';
  readonly key: string;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

type ArchiveEntry = Rows | MediaFileEntry;

export interface Archive {
  readonly path: string;
  readonly manifest: ArchiveManifest;
  /**
   * The rows of the tables in their order, then the media files, each to be read to its end. They
   * are complete only if this comes to its end. Throws a StartFailure when they are not those that
   * were written.
   */
  entries(): AsyncGenerator<ArchiveEntry>;
  close(): Promise<void>;
}

const JSON_BYTES = 16 * 1_048_576;

const parsed = (path: string, bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw damaged(path, 'its description is not JSON');
  }
};

const readManifest = async (
  path: string,
  entry: TarEntry | undefined,
): Promise<{ manifest: ArchiveManifest; digest: string }> => {
  if (entry?.name !== ARCHIVE_MANIFEST) throw foreign(path);
  const bytes = await contentOf(path, entry, JSON_BYTES);
  const value = parsed(path, bytes);
  const format = formatSchema.safeParse(value);
  if (!format.success) throw foreign(path);
  if (isNewer(format.data)) {
    throw new StartFailure(`${path} was written by a newer Tenon (${format.data.tenon}). Use that version. Nothing was changed.`);
  }
  const manifest = manifestSchema.safeParse(value);
  if (!manifest.success) throw damaged(path, 'its manifest is not valid');
  return { manifest: manifest.data, digest: createHash('sha256').update(bytes).digest('hex') };
};

/** The bytes of a media file. Throws at their end when they are not those of its key. */
async function* mediaBytes(path: string, entry: TarEntry, key: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of entry.bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (!key.includes(`/${hash.digest('hex')}.`)) throw damaged(path, `the media file ${key} was changed`);
}

async function* entriesOf(path: string, file: FileHandle): AsyncGenerator<ArchiveEntry> {
  const entries = tarEntries(path, file);
  const judge = (fault: string | null): void => {
    if (fault !== null) throw damaged(path, fault);
  };
  try {
    const { manifest, digest } = await readManifest(path, (await entries.next()).value as TarEntry | undefined);
    const check = checkArchive(manifest, digest);
    for await (const entry of entries) {
      const { name, sizeBytes } = entry;
      const [table, key] = [tableOfPart(name), keyOfMedia(name)];
      if (table !== null) {
        const bytes = await contentOf(path, entry, PART_BYTES);
        judge(check.rows(table, bytes));
        yield { kind: 'rows', table, bytes, rows: linesOf(bytes) };
      } else if (key !== null) {
        judge(check.media());
        yield { kind: 'media', key, sizeBytes, bytes: mediaBytes(path, entry, key) };
      } else if (name === FOOTER) {
        const footer = footerSchema.safeParse(parsed(path, await contentOf(path, entry, JSON_BYTES)));
        judge(footer.success ? check.footer(footer.data) : 'its end is not valid');
      } else throw damaged(path, `${name} does not belong in it`);
    }
    judge(check.isEnded() ? null : 'its end is missing');
  } finally {
    await entries.return(undefined);
  }
}

const manifestOf = async (path: string, file: FileHandle): Promise<ArchiveManifest> => {
  if (!(await looksLikeGzip(file))) throw foreign(path);
  const entries = tarEntries(path, file);
  try {
    return (await readManifest(path, (await entries.next()).value as TarEntry | undefined)).manifest;
  } finally {
    await entries.return(undefined);
  }
};

/**
 * Opens an archive, and reads the whole file once to compare it with its digest. Throws a
 * StartFailure of one line when the file can't be read, was not written by Tenon, is damaged or
 * incomplete, or has a newer format.
 */
export const openArchive = async (path: string): Promise<Archive> => {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw asFailure(path, error);
  });
  try {
    const manifest = await manifestOf(path, file);
    if (!(await hasItsDigest(file))) throw damaged(path, 'it does not have the checksum of its end');
    return { path, manifest, entries: () => entriesOf(path, file), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw asFailure(path, error);
  }
};
