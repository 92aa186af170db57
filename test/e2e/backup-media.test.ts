import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postgresqlAdapter } from '../../src/adapters/prisma/index.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { mediaKey } from '../../src/domain/media/media-file.ts';
import type { FileId } from '../../src/domain/ports/media/media-file-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';
import { runTenonCommand } from '../support/tenon-command.ts';

const MEDIA_URL = 'http://localhost:4000/media';
const SECRET_KEYS = `k1:${randomBytes(32).toString('base64')}`;

let app: OpenApp;
let folder: string;
let ports: Ports;
let store: TestStore;
let backups = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-backup-media-'));
  app = await openApp({ ROLE: 'api', MEDIA_STORAGE: join(folder, 'media'), MEDIA_URL, SECRET_KEYS });
  ports = app.container.resolve(TOKENS.ports);
  store = await app.aStore();
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** A file that the database names. */
const announced = async (): Promise<FileId> => {
  const sha256 = createHash('sha256').update(randomBytes(100)).digest('hex');
  const key = mediaKey({ storeId: store.id, sha256, extension: 'png' });
  await ports.mediaFiles.announce({ storeId: store.id, key, contentType: 'image/png', sizeBytes: 100, width: 1, height: 1 });
  return { storeId: store.id, key };
};

/** A file that is stored and that a new product refers to; `as`: how. */
const shown = async (as = (key: string): string => key): Promise<{ file: FileId; productId: string }> => {
  const file = await announced();
  const path = join(folder, 'image');
  await writeFile(path, 'an image');
  await ports.mediaStorage.put(file.key, path, 'image/png');
  const media = [{ url: 'https://cdn.test/1.png', storageKey: as(file.key), contentType: 'image/png' }];
  const products = await app.importProducts(store, [{ name: `Saw ${file.key.slice(-12, -4)}`, media }]);
  return { file, productId: products.at(-1) ?? '' };
};

const removeProduct = (id: string) => app.admin('delete', `/admin/stores/${store.id}/products/${id}`).expect(204);

const backUp = async () => {
  const file = join(folder, `${String((backups += 1))}.backup`);
  const env = { DATABASE_URL: app.database.url, MEDIA_STORAGE: join(folder, 'media'), MEDIA_URL, SECRET_KEYS };
  const { status, said } = await runTenonCommand(['backup', '--media', file], env).ended;
  await access(file);
  return { status, said, file };
};

describe('a backup with media files', () => {
  it('exits with 1 after it was written if files that products refer to are missing, and counts no others', async () => {
    const [kept, one, other, unused] = [await shown(), await shown(), await shown((key) => `${MEDIA_URL}/${key}`), await shown()];
    await announced();
    await removeProduct(unused.productId);
    await ports.mediaStorage.remove(unused.file.key);
    expect(await backUp()).toMatchObject({ status: 0 });

    for (const { file } of [one, other]) await ports.mediaStorage.remove(file.key);
    const { status, said, file } = await backUp();
    expect(status).toBe(1);
    expect(said).toContain(`Wrote ${file}`);
    expect(said).toContain(
      `Media files that products refer to are missing from the storage, and so from ${file}: 2. It has everything else.`,
    );
    expect(await ports.mediaStorage.size(kept.file.key)).toBe(8);
    for (const { productId } of [one, other]) await removeProduct(productId);
  });
  it('does not miss a file that was removed since its snapshot', async () => {
    const [lost, removed] = [await shown(), await shown()];
    const snapshot = await postgresqlAdapter.openSnapshot(app.database.url, null);
    try {
      await removeProduct(removed.productId);
      expect(await snapshot.shown([lost.file, removed.file], MEDIA_URL)).toEqual([lost.file.key]);
    } finally {
      await snapshot.close();
    }
  });
});
