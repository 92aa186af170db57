import { IMAGE_TYPES, mediaKey } from '../../domain/media/media-file.ts';
import { importEvents } from '../../domain/media/import-events.ts';
import {
  failedItem,
  isOpen,
  MAX_TRIES,
  withOutcome,
  type ItemOutcome,
  type ObservedItem,
  askedTooOften,
  retryWait,
} from '../../domain/media/media-import.ts';
import { mediaAdded, mediaTarget, newMedia, targetNotFound } from '../../domain/catalogue/product-media.ts';
import type { Lease } from '../../domain/ports/work-lease.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import type { FileRecord, KnownFile } from '../../domain/ports/media/media-file-repository.ts';
import type { ImportTask } from '../../domain/ports/media/media-import-repository.ts';
import type { FetchedImage, ImageFailure } from '../../domain/ports/media/media-source.ts';
import { isoTime } from '../../domain/time.ts';

export type ItemPorts = Pick<Ports, 'clock' | 'mediaFiles' | 'mediaImports' | 'mediaSource' | 'mediaStorage' | 'transaction'>;

export interface ItemSettings {
  /** The address of a file is this, a slash and the file's key. */
  readonly mediaUrl: string;
  /** The seconds before a host that failed is asked again, each time. */
  readonly retryWaits: readonly number[];
  readonly onItem: (item: ObservedItem, task: ImportTask) => void;
}

const ENDED_THE_PROCESS: ItemOutcome = {
  status: 'Failed',
  errorCode: 'decode_failed',
  error: 'The service ended each time it imported this image.',
};

/** The outcome that is known without a fetch. Null when none is. */
const knownBefore = ({ missing, tries }: ImportTask): ItemOutcome | null => {
  if (missing !== null) return failedItem(targetNotFound(missing));
  return tries >= MAX_TRIES ? ENDED_THE_PROCESS : null;
};

/** End of an item. A number: the seconds until its host is asked again. Null: another worker has it. */
type Ending = ItemOutcome | number | null;

const fileOf = ({ storeId }: ImportTask, { sha256, extension, sizeBytes, width, height }: FetchedImage): KnownFile => {
  const key = mediaKey({ storeId, sha256, extension });
  return { storeId, key, contentType: IMAGE_TYPES[extension], sizeBytes, width, height };
};

/**
 * Imports one item. The process may die after each step: the file is announced before it is stored,
 * and its media, the outcome of the item, the end of the import and their events are one
 * transaction.
 */
export const importItem = (ports: ItemPorts, settings: ItemSettings) => {
  const { clock, mediaFiles, mediaImports, mediaSource, mediaStorage, transaction } = ports;
  /**
   * Null, and nothing is written, when the item has already ended: the app is gone, or this worker
   * had lost its lease.
   */
  const settle = <T extends ItemOutcome | 'file_gone'>(
    task: ImportTask,
    judge: (tx: TransactionPorts) => Promise<T>,
  ): Promise<T | null> =>
    transaction.run(task, async (tx) => {
      const { storeId, importId, index } = task;
      const found = await tx.mediaImports.lockOpen(storeId, importId);
      if (!found?.items.some((item) => item.index === index && isOpen(item))) return null;
      const outcome = await judge(tx);
      if (outcome === 'file_gone') return outcome;
      const after = withOutcome(found, index, outcome);
      await tx.mediaImports.settle(after, index);
      await tx.events.append(importEvents(after));
      return outcome;
    });

  const addMedia = async (
    tx: TransactionPorts,
    task: ImportTask,
    file: KnownFile,
    record: FileRecord,
  ): Promise<ItemOutcome | 'file_gone'> => {
    const [product] = await tx.products.lock(task.storeId, [task.productId]);
    const target = mediaTarget(product, task);
    if (!target.ok) return failedItem(target);
    if (!(await tx.mediaFiles.keep(task.storeId, file.key, record))) return 'file_gone';
    const place = { url: `${settings.mediaUrl}/${file.key}`, now: isoTime(clock.now()) };
    const media = newMedia(target.value, task, file, place);
    await tx.products.addMedia(target.value, media);
    await tx.events.append([mediaAdded(target.value, media, task.installationId)]);
    return { status: 'Ready' };
  };

  const keep = async (task: ImportTask, image: FetchedImage, lease: Lease): Promise<ItemOutcome | null> => {
    const file = fileOf(task, image);
    for (;;) {
      const record = await mediaFiles.announce(file);
      await mediaStorage.put(file.key, image.path, file.contentType);
      if (!(await lease.mayBegin())) return null;
      const outcome = await settle(task, (tx) => addMedia(tx, task, file, record));
      // The file was removed since it was announced, which takes an hour.
      if (outcome !== 'file_gone') return outcome;
    }
  };

  /** Ends the item, or has it tried again when the fault may pass. Its place is free until then. */
  const fail = async (task: ImportTask, { passing, code, message }: ImageFailure, lease: Lease): Promise<Ending> => {
    const asked = task.asked + 1;
    const seconds = passing === undefined ? null : retryWait(asked, passing.retryAfterSeconds, settings.retryWaits);
    if (seconds === null) {
      const error = passing === undefined ? message : askedTooOften(message, asked);
      return settle(task, () => Promise.resolve({ status: 'Failed', errorCode: code, error }));
    }
    if (!(await lease.mayBegin())) return null;
    await mediaImports.postpone(task, seconds, message);
    return seconds;
  };

  const fetchAndKeep = async (task: ImportTask, lease: Lease, turn: Promise<unknown>): Promise<Ending> => {
    if (!(await lease.mayBegin())) return null;
    const fetched = await mediaSource.fetch(
      { askedBy: task.installationId, url: task.sourceUrl, name: task.mediaId },
      lease.signal,
    );
    if (fetched === null) return null;
    if (!fetched.ok) return fail(task, fetched, lease);
    try {
      await turn;
      return lease.signal.aborted ? null : await keep(task, fetched.value, lease);
    } finally {
      await mediaSource.release(fetched.value);
    }
  };

  /**
   * The media of the item is added after `turn`, so that media without a position keep the order of
   * the request. Resolves to the seconds until the item is tried again, or to null.
   */
  return async (task: ImportTask, lease: Lease, turn: Promise<unknown>): Promise<number | null> => {
    const begunAt = clock.now();
    const known = knownBefore(task);
    const outcome = known ? await settle(task, () => Promise.resolve(known)) : await fetchAndKeep(task, lease, turn);
    if (outcome === null || typeof outcome === 'number') return outcome;
    const durationSeconds = (clock.now() - begunAt) / 1000;
    settings.onItem({ outcome: outcome.status === 'Ready' ? 'ready' : outcome.errorCode, durationSeconds }, task);
    return null;
  };
};
