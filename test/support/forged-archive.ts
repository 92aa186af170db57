import { createHash } from 'node:crypto';

import type { ArchiveManifest } from '../../src/adapters/archive/manifest.ts';
import { openArchive } from '../../src/adapters/archive/read-archive.ts';
import { createArchive } from '../../src/adapters/archive/write-archive.ts';

/**
 * Changes of a file by somebody with the program, and without access to the server. Its checksums
 * are right again.
 */
export interface Forgery {
  readonly manifest?: (manifest: ArchiveManifest) => ArchiveManifest;
  /** Lines of COPY that are added, by their table. */
  readonly rows?: Readonly<Record<string, string>>;
  /** Files that are added, by the folder of their key. */
  readonly media?: readonly { readonly folder: string; readonly bytes: Buffer }[];
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Writes the archive again, with what the forgery adds. */
export const forge = async (from: string, to: string, { manifest: changed = (same) => same, rows = {}, media = [] }: Forgery) => {
  const archive = await openArchive(from);
  const lines = new Map<string, Buffer[]>();
  for await (const entry of archive.entries()) {
    if (entry.kind === 'rows') lines.set(entry.table, [...(lines.get(entry.table) ?? []), entry.bytes]);
  }
  await archive.close();
  const manifest = changed({ ...archive.manifest, media: media.length > 0 });
  const writer = await createArchive(to, manifest);
  for (const { name } of manifest.tables) {
    await writer.table(name, one(Buffer.concat([...(lines.get(name) ?? []), Buffer.from(rows[name] ?? '')])));
  }
  for (const { folder, bytes } of media) {
    const key = `${folder}/${createHash('sha256').update(bytes).digest('hex')}.png`;
    await writer.media(key, bytes.length, one(bytes));
  }
  await writer.finish();
};
