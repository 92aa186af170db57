import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';

import { StartFailure } from '../startup/start-failure.ts';
import { syncFolder } from '../startup/sync-folder.ts';
import { endOf, ARCHIVE_CHUNK_BYTES, FOOTER, ARCHIVE_MANIFEST, mediaName, PART_BYTES, partName } from './layout.ts';
import type { Footer, ArchiveManifest, TableFigures } from './manifest.ts';
import { digestOf } from './table-digest.ts';
import { messageOf } from '../../domain/values/error.ts';

export interface ArchiveWriter {
  table(name: string, rows: AsyncIterable<Buffer>): Promise<TableFigures>;
  media(key: string, sizeBytes: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  finish(): Promise<number>;
  /** Removes what is written. Does nothing after `finish`. */
  abort(): Promise<void>;
}

/** Higher levels take several times as long, for a tenth less. */
const LEVEL = 3;

async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    let whole = Buffer.concat(waiting);
    for (; whole.length >= PART_BYTES; whole = whole.subarray(PART_BYTES)) yield whole.subarray(0, PART_BYTES);
    [waiting, size] = [[whole], whole.length];
  }
  if (size > 0) yield Buffer.concat(waiting);
}

const sealed = async (file: FileHandle, draft: string, path: string): Promise<number> => {
  const { size } = await file.stat();
  await file.sync();
  await file.close();
  await rename(draft, path);
  await syncFolder(dirname(path));
  return size;
};

/** Opens the file beside its place. A file with the name must not exist: a backup is never overwritten. */
const openDraft = async (path: string): Promise<{ file: FileHandle; draft: string }> => {
  const draft = `${path}.${randomUUID()}.unfinished`;
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new StartFailure(`${path} already exists. Give another name.`);
  try {
    return { draft, file: await open(draft, 'wx', 0o600) };
  } catch (error) {
    throw new StartFailure(`${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
};

const nothing = (): void => undefined;

/** Waits until the archive has taken the bytes. `writing` rejects when the file takes no more. */
const addEntry = async (
  archive: Pack,
  writing: Promise<void>,
  { name, size }: { name: string; size: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const entry = archive.entry({ name, size, mode: 0o600, mtime: new Date(0) });
  // A destroyed archive emits no event on its entries, so `writing` ends the wait.
  entry.on('error', nothing);
  const finished = once(entry, 'finish');
  finished.catch(nothing);
  for await (const chunk of bytes) if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), writing]);
  entry.end(null);
  await Promise.race([finished, writing]);
};

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable of one
async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * Creates an archive: a tar file in gzip, readable by its owner only. It is written under another
 * name, and gets its name when it is complete and on the disk. Holds a few parts in memory. Throws
 * a StartFailure when the file exists or cannot be written.
 */
export const createArchive = async (path: string, manifest: ArchiveManifest): Promise<ArchiveWriter> => {
  const { file, draft } = await openDraft(path);
  const archive = pack();
  archive.on('error', nothing);
  let failure: Error | undefined;
  const writing = pipeline(
    async function* () {
      for await (const chunk of archive) yield chunk;
    },
    createGzip({ level: LEVEL, chunkSize: ARCHIVE_CHUNK_BYTES }),
    async (bytes: AsyncIterable<Buffer>) => {
      const hash = createHash('sha256');
      for await (const chunk of bytes) {
        hash.update(chunk);
        await file.appendFile(chunk);
      }
      await file.appendFile(endOf(hash.digest('hex')));
    },
  ).catch((error: unknown) => {
    failure = error as Error;
    archive.destroy(failure);
    throw failure;
  });
  writing.catch(nothing);
  const add = async (name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    try {
      await addEntry(archive, writing, { name, size }, bytes);
    } catch (error) {
      throw failure ?? error;
    }
  };
  const addJson = async (name: string, value: unknown): Promise<string> => {
    const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    await add(name, bytes.length, only(bytes));
    return createHash('sha256').update(bytes).digest('hex');
  };
  const seen: { manifest: string; tables: TableFigures[]; media: number } = { manifest: '', tables: [], media: 0 };
  seen.manifest = await addJson(ARCHIVE_MANIFEST, manifest);
  let isDone = false;

  return {
    table: async (name, rows) => {
      const digest = digestOf(name);
      let part = 0;
      for await (const bytes of partsOf(rows)) {
        digest.add(bytes);
        await add(partName(name, part++), bytes.length, only(bytes));
      }
      seen.tables.push(digest.figures());
      return digest.figures();
    },
    media: async (key, sizeBytes, bytes) => {
      await add(mediaName(key), sizeBytes, bytes);
      seen.media += 1;
    },
    finish: async () => {
      await addJson(FOOTER, seen satisfies Footer);
      archive.finalize();
      await writing;
      const size = await sealed(file, draft, path);
      isDone = true;
      return size;
    },
    abort: async () => {
      if (isDone) return;
      archive.destroy();
      await writing.catch(nothing);
      await file.close().catch(nothing);
      await rm(draft, { force: true });
    },
  };
};
