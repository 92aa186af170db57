import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { MAX_IMAGE_BYTES } from '../../../domain/media/image.ts';
import { IMAGE_TYPES, parseMediaKey, type MediaFile } from '../../../domain/media/media-file.ts';
import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { OutcomeUnknown } from '../../../domain/ports/transaction.ts';
import { type MediaFileEntry, openArchive, type Archive } from '../../archive/read-archive.ts';
import { missingKeys } from '../../node/key-check.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import type { Load } from '../../storage/archive.ts';
import type { KeyCounts } from '../../storage/sealed-secrets.ts';
import type { StorageAdapter } from '../../storage/storage.ts';
import { sealedPepper } from '../keys/open-secrets.ts';
import { judgeKeys, unopened, withoutKey } from '../keys/unopened.ts';
import type { Config } from '../settings/config.ts';
import { storageAt } from '../storage.ts';
import { asStartFailure, reachDatabase } from './reach-database.ts';
import type { BackupSettings, ArchiveReport, OnProgress } from './backup.ts';

interface MediaTarget {
  put(file: Pick<MediaFileEntry, 'key' | 'sizeBytes' | 'bytes'>): Promise<void>;
  count(): number;
  /** Creates the directory, also where the archive has no files: no server starts without that of files which the rows name. */
  prepare(): Promise<void>;
  /** Removes the files that were put and did not exist before. */
  undo(): Promise<void>;
  close(): Promise<void>;
}

/** Throws a StartFailure unless the file is one that Tenon could have stored, for the only store of the archive if it has one. */
const admitFile = ({ key, sizeBytes }: Pick<MediaFileEntry, 'key' | 'sizeBytes'>, only: string | null): MediaFile => {
  const file = parseMediaKey(key);
  if (file === null) throw new StartFailure(`${key} is not the key of a media file. Nothing was changed.`);
  if (only !== null && file.storeId !== only) {
    throw new StartFailure(`The media file ${key} does not belong to the store of the file. Nothing was changed.`);
  }
  if (sizeBytes > MAX_IMAGE_BYTES) {
    throw new StartFailure(
      `The media file ${key} has more than ${String(MAX_IMAGE_BYTES / 1_048_576)} MiB. Nothing was changed.`,
    );
  }
  return file;
};

/** `only`: the id of the store whose files are taken; null for those of all stores. */
const openMediaTarget = async (
  { MEDIA_STORAGE, AWS_REGION }: Pick<Config, 'MEDIA_STORAGE' | 'AWS_REGION'>,
  only: string | null,
): Promise<MediaTarget> => {
  let opening: Promise<MediaStorage> | undefined;
  const open = (): Promise<MediaStorage> => (opening ??= openMediaStorage(MEDIA_STORAGE, AWS_REGION));
  const folder = await mkdtemp(join(tmpdir(), 'tenon-restore-'));
  const added: string[] = [];
  let files = 0;
  return {
    put: async ({ key, sizeBytes, bytes }) => {
      const file = admitFile({ key, sizeBytes }, only);
      const storage = await open();
      const path = join(folder, file.sha256);
      // The archive checks the bytes by their key when it has given the last of them.
      await pipeline(bytes, createWriteStream(path));
      if ((await storage.size(key)) === null) {
        await storage.put(key, path, IMAGE_TYPES[file.extension]);
        added.push(key);
      }
      await rm(path);
      files += 1;
    },
    count: () => files,
    prepare: async () => {
      if ('directory' in MEDIA_STORAGE) await open();
    },
    undo: async () => {
      const storage = await opening;
      for (const key of added) await storage?.remove(key);
    },
    close: async () => {
      await (await opening)?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

interface RestoreOptions {
  readonly file: string;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

const lacksKey = ({ path }: Archive, kid: string): StartFailure =>
  new StartFailure(
    `${path} has secrets of the key ${kid}, which SECRET_KEYS does not have, or has with another value. Add the key of the server that wrote it. If it is lost, set LOST_SECRET_KEYS to its name. Nothing was changed.`,
  );

/** Returns the lost keys. Throws a StartFailure when another one is missing. */
const requireKeys = (archive: Archive, closed: KeyCounts, settings: BackupSettings): KeyCounts => {
  const { missing, lost } = judgeKeys(closed, settings);
  const [kid] = missing.keys();
  if (kid !== undefined) throw lacksKey(archive, kid);
  return lost;
};

const openFor = async (use: 'restore' | 'import', settings: BackupSettings, file: string): Promise<Archive> => {
  const archive = await openArchive(file);
  try {
    const isStore = archive.manifest.store !== null;
    if (isStore && use === 'restore') throw new StartFailure(`${file} has one store only. Use \`tenon store import\`.`);
    if (!isStore && use === 'import') throw new StartFailure(`${file} is a backup of all stores. Use \`tenon restore\`.`);
    const missing = missingKeys(archive.manifest.keys, settings.SECRET_KEYS);
    requireKeys(archive, new Map(missing.map((kid) => [kid, 1])), settings);
    return archive;
  } catch (error) {
    await archive.close();
    throw error;
  }
};

const fill = async (
  archive: Archive,
  load: Load,
  media: MediaTarget,
  { onProgress, signal }: RestoreOptions,
): Promise<number> => {
  let [rows, last] = [0, ''];
  for await (const entry of archive.entries()) {
    signal?.throwIfAborted();
    if (entry.kind === 'media') await media.put(entry);
    else {
      if (last !== '' && last !== entry.table) onProgress?.({ table: last, rows });
      last = entry.table;
      rows += entry.rows;
      await load.write(entry.table, entry.bytes);
    }
  }
  return rows;
};

const notKnown = ({ manifest, path }: Archive, cause: OutcomeUnknown): StartFailure => {
  const [done, refusal] =
    manifest.store === null ? ['restored', 'the database is not empty'] : ['imported', 'the database has the store already'];
  return new StartFailure(
    `The answer to the COMMIT was lost, so it is not known whether ${path} was ${done}: repeat the command, and if it says that ${refusal}, it was.`,
    { cause },
  );
};

type Restored = Omit<ArchiveReport, 'lostSecrets'>;

const run = async (archive: Archive, load: Load, settings: BackupSettings, options: RestoreOptions): Promise<Restored> => {
  const media = await openMediaTarget(settings, archive.manifest.store?.id ?? null);
  try {
    // The archive has come to its end, and so is complete, before anything of it is visible.
    const rows = await fill(archive, load, media, options);
    const { size } = await stat(archive.path);
    await media.prepare();
    await load.commit();
    return { store: archive.manifest.store, rows, mediaFiles: media.count(), missingMediaFiles: 0, bytes: size };
  } catch (error) {
    // Files without rows do no harm. Rows without their files are broken images.
    if (error instanceof OutcomeUnknown) throw notKnown(archive, error);
    await media.undo();
    throw error;
  } finally {
    await media.close();
  }
};

/** Begins to load. Passes on the keys of what nothing opens. */
type Begin = (storage: StorageAdapter, url: string, judge: (closed: KeyCounts) => void) => Promise<Load>;

const loading = async (
  settings: BackupSettings,
  archive: Archive,
  options: RestoreOptions,
  begin: Begin,
): Promise<ArchiveReport> => {
  const database = await reachDatabase(settings, { mayCreate: archive.manifest.store === null });
  let lost: KeyCounts = new Map();
  try {
    const load = await begin(
      await storageAt(database.url),
      database.url,
      (closed) => (lost = requireKeys(archive, closed, settings)),
    );
    try {
      const restored = await run(archive, load, settings, options);
      return { ...restored, lostSecrets: Object.fromEntries(lost) };
    } finally {
      await load.close();
    }
  } finally {
    await database.stop();
  }
};

/**
 * Restores a backup into an empty database, and applies the migrations that came after it. It is
 * all in one transaction, so a failure or a kill leaves the database empty. Throws a StartFailure of
 * one line when the file, the database or the keys do not fit.
 */
export const restore = (settings: BackupSettings, options: RestoreOptions): Promise<ArchiveReport> =>
  asStartFailure(async () => {
    const archive = await openFor('restore', settings, options.file);
    const begin: Begin = (storage, url, judge) =>
      storage.beginRestore(url, archive.manifest, (sealed) => judge(withoutKey(sealed, settings)));
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    return loading(settings, archive, options, begin).finally(() => archive.close());
  });

/**
 * Imports the export of a store beside the stores of this server, with its ids, in one transaction.
 * Throws a StartFailure of one line when an id exists already, or the file, the version or the keys
 * do not fit.
 */
export const importStore = (settings: BackupSettings, options: RestoreOptions): Promise<ArchiveReport> =>
  asStartFailure(async () => {
    const archive = await openFor('import', settings, options.file);
    const { store, ...content } = archive.manifest;
    if (store === null) throw new Error('openFor admits the export of a store only');
    const begin: Begin = (storage, url, judge) =>
      storage.beginImport(url, { ...content, store }, async ({ secrets, peppers }) =>
        judge(await unopened([...secrets, ...peppers.map(sealedPepper)], settings.SECRET_KEYS)),
      );
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    return loading(settings, archive, options, begin).finally(() => archive.close());
  });
