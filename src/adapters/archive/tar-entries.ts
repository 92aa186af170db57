import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Extract } from 'tar-stream';

import { asFailure, damaged, chunksOf, ARCHIVE_CHUNK_BYTES } from './layout.ts';

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

export interface TarEntry {
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
export async function* tarEntries(path: string, file: FileHandle): AsyncGenerator<TarEntry> {
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

export const contentOf = async (path: string, { name, sizeBytes, bytes }: TarEntry, limit: number): Promise<Buffer> => {
  if (sizeBytes > limit) throw damaged(path, `${name} is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
};
