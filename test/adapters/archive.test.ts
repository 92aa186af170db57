import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ArchiveManifest } from '../../src/adapters/archive/manifest.ts';
import { openArchive } from '../../src/adapters/archive/read-archive.ts';
import { createArchive } from '../../src/adapters/archive/write-archive.ts';
import { StartFailure } from '../../src/adapters/startup/start-failure.ts';

let folder: string;
let files = 0;
const aPath = (): string => join(folder, `${String((files += 1))}.backup`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

const STORE = '0199b0de-0000-7000-8000-000000000001';
const keyOf = (bytes: Buffer): string => `${STORE}/${createHash('sha256').update(bytes).digest('hex')}.png`;

const manifestOf = (more: Partial<ArchiveManifest> = {}): ArchiveManifest => ({
  format: 'tenon-archive',
  version: 1,
  tenon: '0.1.0',
  createdAt: '2026-11-23T00:00:00.000Z',
  store: null,
  migrations: [{ name: '1_init', checksum: 'a'.repeat(64) }],
  tables: [
    { name: 'stores', columns: ['id'] },
    { name: 'products', columns: ['id', 'name'] },
    { name: 'events', columns: ['id'] },
  ],
  sequences: [],
  keys: [{ kid: 'k1', check: 'b'.repeat(64) }],
  media: true,
  ...more,
});

async function* streamOf(...chunks: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const PRODUCTS = Array.from({ length: 200 }, (_, k) => `${String(k)}\tProduct ${String(k * 7919)}\n`);
const IMAGE = Buffer.from('not really an image');

/** An archive with two tables that have rows, one without rows, and a media file. */
const write = async (path = aPath(), more: Partial<ArchiveManifest> = {}): Promise<string> => {
  const writer = await createArchive(path, manifestOf(more));
  await writer.table('stores', streamOf('one\n'));
  await writer.table('products', streamOf(...PRODUCTS));
  await writer.table('events', streamOf());
  await writer.media(keyOf(IMAGE), IMAGE.length, streamOf(IMAGE));
  await writer.finish();
  return path;
};

const readAll = async (path: string) => {
  const rows: Record<string, string> = {};
  const media: Record<string, string> = {};
  const archive = await openArchive(path);
  try {
    for await (const entry of archive.entries()) {
      if (entry.kind === 'rows') rows[entry.table] = (rows[entry.table] ?? '') + entry.bytes.toString();
      else for await (const chunk of entry.bytes) media[entry.key] = (media[entry.key] ?? '') + Buffer.from(chunk).toString();
    }
    return { rows, media };
  } finally {
    await archive.close();
  }
};

const refusal = async (bytes: Buffer): Promise<string> => {
  const path = aPath();
  await writeFile(path, bytes);
  try {
    await (await openArchive(path)).close();
    return 'accepted';
  } catch (error) {
    // Anything else is a stack trace on the operator's screen.
    if (!(error instanceof StartFailure)) throw error;
    return error.message;
  } finally {
    await rm(path);
  }
};

describe('an archive', () => {
  it('gives what was written into it', async () => {
    const path = await write();
    expect(await readAll(path)).toEqual({
      rows: { stores: 'one\n', products: PRODUCTS.join('') },
      media: { [keyOf(IMAGE)]: IMAGE.toString() },
    });
  });
  it('gives any rows, of any size and cut anywhere', async () => {
    const chunk = fc.oneof(
      fc.string(),
      fc.integer({ min: 1, max: 3 }).map((n) => `${'x'.repeat(n * 700_000)}\n`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (chunks) => {
        const path = aPath();
        const writer = await createArchive(path, manifestOf({ tables: [{ name: 'products', columns: ['id'] }] }));
        const { rows } = await writer.table('products', streamOf(...chunks));
        await writer.finish();
        const text = chunks.join('');
        expect(rows).toBe(text.split('\n').length - 1);
        expect((await readAll(path)).rows['products'] ?? '').toBe(text);
      }),
      { numRuns: 20 },
    );
  });
  it('is opened by tar, whose files are what COPY reads', async () => {
    const path = await write();
    const listed = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).trim().split('\n');
    expect(listed).toEqual([
      'manifest.json',
      'tables/stores/000000.copy',
      'tables/products/000000.copy',
      `media/${keyOf(IMAGE)}`,
      'footer.json',
    ]);
    expect(execFileSync('tar', ['-xzOf', path, 'tables/products/000000.copy'], { encoding: 'utf8' })).toBe(PRODUCTS.join(''));
  });
  it('is readable by its owner only, and has its name when it is complete', async () => {
    const path = aPath();
    const writer = await createArchive(path, manifestOf({ tables: [] }));
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await writer.finish();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(createArchive(path, manifestOf())).rejects.toThrow('already exists');
  });
  it('that the disk does not take fails, and leaves nothing behind', async () => {
    const path = aPath();
    const writer = await createArchive(path, manifestOf());
    const probe = await open(join(folder, 'probe'), 'w');
    const append = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'appendFile');
    append.mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    await probe.close();
    const noise = Array.from({ length: 300 }, () => `${randomBytes(30_000).toString('base64')}\n`);
    await expect(writer.table('stores', streamOf(...noise)).then(() => writer.finish())).rejects.toThrow('ENOSPC');
    await writer.abort();
    append.mockRestore();
    expect((await readdir(folder)).filter((name) => join(folder, name).startsWith(path))).toEqual([]);
  });
  it('leaves nothing behind when it is not finished', async () => {
    const path = aPath();
    const writer = await createArchive(path, manifestOf());
    await writer.table('stores', streamOf('one\n'));
    await writer.abort();
    expect((await readdir(folder)).filter((name) => join(folder, name).startsWith(path))).toEqual([]);
  });
});

describe('an archive is refused in one line', () => {
  it('when any byte of it was changed', async () => {
    const whole = await readFile(await write());
    const change = fc.record({ at: fc.integer({ min: 0, max: whole.length - 1 }), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, by }) => {
        const bytes = Buffer.from(whole);
        bytes.writeUInt8((bytes.readUInt8(at) + by) % 256, at);
        expect(await refusal(bytes)).toMatch(/^\S+ is (damaged or incomplete: .*|not a backup of Tenon\.)$/);
      }),
      { numRuns: 300, examples: Array.from({ length: 12 }, (_, at) => [{ at, by: 1 }]) },
    );
  });
  it('when it was cut anywhere, or something follows it', async () => {
    const whole = await readFile(await write());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        expect(await refusal(whole.subarray(0, length))).toMatch(/is (damaged or incomplete: |not a backup of Tenon)/);
      }),
      { numRuns: 200, examples: [[whole.length - 1], [whole.length - 8], [0]] },
    );
    for (const tail of [Buffer.alloc(1), Buffer.from('x'), Buffer.alloc(70_000), whole]) {
      expect(await refusal(Buffer.concat([whole, tail]))).toContain('is damaged or incomplete');
    }
  });
  it.each<[string, Buffer, string]>([
    ['a text', Buffer.from('CREATE TABLE stores'), 'is not a backup of Tenon.'],
    ['a text in gzip', gzipSync('hello'), 'is damaged or incomplete'],
    ['nothing', Buffer.alloc(0), 'is not a backup of Tenon.'],
  ])('when it is another file: %s', async (_title, bytes, message) => {
    expect(await refusal(bytes)).toContain(message);
  });
  it('when there is no such file', async () => {
    await expect(openArchive(join(folder, 'missing'))).rejects.toThrow(/missing cannot be read: ENOENT/);
  });
  it('when a newer Tenon wrote it', async () => {
    const newer = await write(aPath(), { version: 2 as 1, tenon: '9.0.0' });
    await expect(openArchive(newer)).rejects.toThrow('was written by a newer Tenon (9.0.0)');
  });
  it('when its rows belong to a table that its manifest does not have', async () => {
    const path = aPath();
    const writer = await createArchive(path, manifestOf({ tables: [] }));
    await writer.table('secrets', streamOf('1\n'));
    await writer.finish();
    await expect(readAll(path)).rejects.toThrow('rows of secrets are not where they belong');
  });
  it('when a table of its manifest is missing', async () => {
    const path = aPath();
    const writer = await createArchive(path, manifestOf());
    await writer.table('stores', streamOf('1\n'));
    await writer.finish();
    await expect(readAll(path)).rejects.toThrow('are not those that were written');
  });
});
