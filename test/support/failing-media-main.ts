import type { Ports, TransactionPorts } from '../../src/domain/ports/index.ts';
import { aroundTransaction } from './around-transaction.ts';
import { serve } from './serve.ts';

// The server, that kills itself with SIGKILL when the import of an image at `.../kill-<step>` comes to the step of KILL_AT.
const killAt = process.env['KILL_AT'] ?? '';

/** Marks of that import: its id, and its file's hash. */
const marks = new Set<string>();
const isMarked = (text: string): boolean => [...marks].some((mark) => text.includes(mark));

const dieAt = (step: string, isMine: boolean): Promise<void> => {
  if (step !== killAt || !isMine) return Promise.resolve();
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => undefined);
};

const dyingIn = (tx: TransactionPorts): TransactionPorts => ({
  ...tx,
  mediaFiles: {
    keep: async (storeId, key, record) => {
      const kept = await tx.mediaFiles.keep(storeId, key, record);
      await dieAt('after-keep', isMarked(key));
      return kept;
    },
  },
  products: {
    ...tx.products,
    addMedia: async (product, media) => {
      await tx.products.addMedia(product, media);
      await dieAt('after-media', isMarked(media.storageKey));
    },
  },
  mediaImports: {
    ...tx.mediaImports,
    settle: async (after, index) => {
      await tx.mediaImports.settle(after, index);
      await dieAt('after-settle', isMarked(after.id));
    },
  },
});

const dying = (ports: Ports): Ports => ({
  ...ports,
  mediaImports: {
    ...ports.mediaImports,
    begin: async (...given) => {
      const task = await ports.mediaImports.begin(...given);
      if (task?.sourceUrl.endsWith(`/kill-${killAt}`)) marks.add(task.importId);
      await dieAt('after-begin', task !== null && isMarked(task.importId));
      return task;
    },
    postpone: async (task, seconds, reason) => {
      await ports.mediaImports.postpone(task, seconds, reason);
      await dieAt('after-postpone', isMarked(task.importId));
    },
  },
  mediaSource: {
    ...ports.mediaSource,
    fetch: async (request, signal) => {
      const outcome = await ports.mediaSource.fetch(request, signal);
      const isMine = request.url.endsWith(`/kill-${killAt}`);
      if (isMine && outcome?.ok) marks.add(outcome.value.sha256);
      await dieAt('after-fetch', isMine);
      return outcome;
    },
    release: async (image) => {
      await dieAt('before-release', isMarked(image.sha256));
      await ports.mediaSource.release(image);
    },
  },
  mediaFiles: {
    ...ports.mediaFiles,
    announce: async (file) => {
      const record = await ports.mediaFiles.announce(file);
      await dieAt('after-announce', isMarked(file.key));
      return record;
    },
  },
  mediaStorage: {
    ...ports.mediaStorage,
    put: async (key, path, contentType) => {
      await ports.mediaStorage.put(key, path, contentType);
      await dieAt('after-put', isMarked(key));
    },
  },
  transaction: aroundTransaction(ports.transaction, async (run, work) => {
    const created: string[] = [];
    let settled = false;
    const value = await run((tx) => {
      const { mediaImports, ...mine } = dyingIn(tx);
      return work({
        ...mine,
        mediaImports: {
          ...mediaImports,
          create: async (given) => {
            created.push(...given.items.map(({ sourceUrl }) => sourceUrl));
            await mediaImports.create(given);
          },
          settle: async (after, index) => {
            await mediaImports.settle(after, index);
            settled ||= isMarked(after.id);
          },
        },
      });
    });
    await dieAt(
      'after-create',
      created.some((url) => url.endsWith(`/kill-${killAt}`)),
    );
    await dieAt('after-commit', settled);
    return value;
  }),
});

await serve(dying);
