import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { imageOf, largePng, site } from '../support/image-server.ts';
import { anImport, ended } from '../support/media.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startReceiver, type Answer, type Receiver } from '../support/receiver.ts';
import { aStoreWithApp, startProcess, type ServerProcess } from '../support/server.ts';

const ITEMS = 20;
/** Side of an image with three bytes a pixel: a little less than 20 MiB. */
const SIDE = 2640;
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const BOUND_MB = 150;

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/**
 * MB that the process and its children hold, each shared page counted in part; children come and
 * go.
 */
const memoryOf = async (pid: number): Promise<number> => {
  const children = (await read(`/proc/${pid}/task/${pid}/children`)).split(' ').filter((text) => text !== '');
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
  const theirs = await Promise.all(children.map((child) => memoryOf(Number(child))));
  return theirs.reduce((sum, one) => sum + one, own);
};

/** The most that is seen until it is stopped. */
const watch = (pid: number): (() => Promise<number>) => {
  let [most, watching] = [0, true];
  const looking = (async () => {
    while (watching) most = Math.max(most, await memoryOf(pid));
  })();
  return async () => {
    watching = false;
    await looking;
    return most;
  };
};

let database: TestDatabase;
let source: Receiver;
let server: ServerProcess;
beforeAll(async () => {
  [database, source] = await Promise.all([openTestDatabase(), startReceiver()]);
  server = await startProcess({ databaseUrl: database.url });
});
afterAll(async () => {
  await server.end();
  await source.close();
  await database.close();
});

it.skipIf(process.platform !== 'linux')(
  'memory stays under 150 MB above idle through 20 items of 20 MB each',
  async () => {
    const app = await aStoreWithApp(server, { products: 1 });
    const picture = await largePng(SIDE, SIDE);
    expect(MAX_IMAGE_BYTES - picture.length).toBeLessThan(MAX_IMAGE_BYTES / 100);
    const answers = new Map<string, Answer>();
    const small = await imageOf('png');
    answers.set('/small', (response) => response.end(small));
    for (let n = 0; n < ITEMS; n += 1) {
      answers.set(`/${n}`, (response) => {
        response.write(picture);
        // Bytes after an image make it another file, and matter to nobody.
        response.end(randomBytes(8));
      });
    }
    source.answer(site(answers));
    const importOf = async (...paths: string[]) => {
      const items = paths.map((path) => ({ sourceUrl: `${source.url}${path}`, productId: app.productIds[0] }));
      return ended(server, app, await anImport(server, app, paths.join(), items), 480_000);
    };

    await importOf('/small');
    const idle = await memoryOf(server.pid);
    expect(idle).toBeGreaterThan(10);
    const stop = watch(server.pid);
    const done = await importOf(...Array.from({ length: ITEMS }, (_, n) => `/${n}`));
    const most = await stop();
    expect(done.status, JSON.stringify(done.items[0])).toBe('Completed');
    expect(most - idle).toBeLessThan(BOUND_MB);
  },
  600_000,
);
