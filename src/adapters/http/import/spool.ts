import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Unavailable } from '../../../domain/unavailable.ts';

const CHUNK_BYTES = 256 * 1024;

/** The temporary folder is full, or cannot be written to. */
export class SpoolUnavailable extends Unavailable {
  override readonly name = 'SpoolUnavailable';
}

const unlessUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new SpoolUnavailable(
      `The server cannot keep the file in its temporary folder, ${tmpdir()} (${reason}), so nothing was imported. Make room there, or set TMPDIR, and try again.`,
      { cause: error },
    );
  }
};

/**
 * Keeps an upload in a temporary file, so that it can be read again. The file has no name while it is
 * used: it is gone as soon as it is closed, or the process is.
 */
export class Spool {
  private file: FileHandle | null = null;
  private size = 0;

  /** The bytes of the source as they come. Throws SpoolUnavailable. */
  async *keep(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const path = join(tmpdir(), `tenon-import-${randomUUID()}`);
    this.file = await unlessUnavailable(open(path, 'wx+', 0o600));
    await unlink(path);
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await unlessUnavailable(this.file.write(chunk, at, chunk.length - at, this.size));
        at += bytesWritten;
        this.size += bytesWritten;
      }
      yield chunk;
    }
  }

  /** True once an upload is kept. */
  get isKept(): boolean {
    return this.file !== null;
  }

  /** The bytes that were kept, from the first on. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; this.file !== null && at < this.size;) {
      const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) throw new Error('The temporary file of an import ended early.');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = null;
    await file?.close();
  }
}
