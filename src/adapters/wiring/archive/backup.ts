import type { FileId } from '../../../domain/ports/media/media-file-repository.ts';
import type { MediaStorage } from '../../../domain/ports/media/media-storage.ts';
import { formatOfThisVersion } from '../../archive/manifest.ts';
import { createArchive, type ArchiveWriter } from '../../archive/write-archive.ts';
import { keyChecks, type NeededKey } from '../../node/key-check.ts';
import { pepperOf } from '../../node/secrets.ts';
import { openMediaStorage } from '../../outgoing/media/media-storage.ts';
import { reasonOf } from '../../startup/start-failure.ts';
import { VERSION } from '../../startup/version.ts';
import type { Snapshot } from '../../storage/archive.ts';
import { pepperId } from '../keys/open-secrets.ts';
import { requireNoneMissing, withoutKey } from '../keys/unopened.ts';
import type { Config } from '../settings/config.ts';
import { storageAt } from '../storage.ts';
import { asStartFailure, reachDatabase } from './reach-database.ts';

export interface ArchiveReport {
  readonly store: { readonly id: string; readonly domain: string } | null;
  readonly rows: number;
  readonly mediaFiles: number;
  /** Files that live media refer to and the storage does not have. */
  readonly missingMediaFiles: number;
  /** Number of its secrets that nothing opens, by the names of the keys that LOST_SECRET_KEYS has. */
  readonly lostSecrets: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export type OnProgress = (progress: { readonly table: string; readonly rows: number }) => void;

export type BackupSettings = Pick<
  Config,
  'DATABASE_URL' | 'DATA_DIR' | 'SECRET_KEYS' | 'LOST_SECRET_KEYS' | 'MEDIA_STORAGE' | 'AWS_REGION' | 'MEDIA_URL'
>;

interface BackupOptions {
  readonly file: string;
  /** The id or the domain of the only store to write; all stores by default. */
  readonly store?: string;
  readonly media?: boolean;
  readonly onProgress?: OnProgress;
  /** Called with the reason where the backup is complete and could not be recorded, as in a database of an older version. */
  readonly onUnrecorded?: (reason: string) => void;
  /** Once aborted, the backup ends and leaves no file. */
  readonly signal?: AbortSignal;
}

/**
 * The keys that a server needs to use what is written: the first, those that sealed something, and
 * those whose pepper is not kept and may be in the hash of a client secret.
 */
const neededKeys = ({ sealedUnder, peppers }: Snapshot, { SECRET_KEYS }: BackupSettings): NeededKey[] =>
  keyChecks(
    SECRET_KEYS.filter((key, index) => index === 0 || sealedUnder.has(key.kid) || !peppers.includes(pepperId(pepperOf(key)))),
  );

/** Passes the bytes on, until the signal is aborted. */
async function* until(bytes: AsyncIterable<Buffer>, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

/**
 * Writes the media files that exist. A file that is not there may have been removed since the snapshot, or is about to be
 * stored: it is missing if live media still refer to it and it still is not there.
 */
const writeMedia = async (
  writer: ArchiveWriter,
  snapshot: Snapshot,
  { MEDIA_STORAGE, AWS_REGION, MEDIA_URL }: BackupSettings,
  signal: AbortSignal | undefined,
) => {
  let opening: Promise<MediaStorage> | undefined;
  const open = (): Promise<MediaStorage> => (opening ??= openMediaStorage(MEDIA_STORAGE, AWS_REGION, { mayCreate: false }));
  const counts = { files: 0, missing: 0 };
  const absent: FileId[] = [];
  try {
    for await (const known of snapshot.mediaFiles()) {
      signal?.throwIfAborted();
      const file = await (await open()).read(known.key);
      if (file === null) absent.push(known);
      else {
        await writer.media(known.key, file.sizeBytes, file.bytes);
        counts.files += 1;
      }
    }
    if (absent.length === 0) return counts;
    for (const key of await snapshot.shown(absent, MEDIA_URL)) {
      if ((await (await open()).size(key)) === null) counts.missing += 1;
    }
    return counts;
  } finally {
    await (await opening)?.close();
  }
};

const write = async (
  snapshot: Snapshot,
  settings: BackupSettings,
  { file, media = false, onProgress, signal }: BackupOptions,
): Promise<ArchiveReport> => {
  const { store, migrations, tables, sequences } = snapshot;
  const lost = requireNoneMissing(withoutKey(snapshot.sealedUnder, settings), settings);
  const writer = await createArchive(file, {
    ...formatOfThisVersion,
    tenon: VERSION,
    createdAt: new Date().toISOString(),
    store,
    migrations: [...migrations],
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sequences: [...sequences],
    keys: neededKeys(snapshot, settings),
    media,
  });
  try {
    let rows = 0;
    for (const table of tables) {
      rows += (await writer.table(table.name, until(snapshot.rows(table), signal))).rows;
      onProgress?.({ table: table.name, rows });
    }
    const { files, missing } = media ? await writeMedia(writer, snapshot, settings, signal) : { files: 0, missing: 0 };
    return {
      store,
      rows,
      mediaFiles: files,
      missingMediaFiles: missing,
      lostSecrets: Object.fromEntries(lost),
      bytes: await writer.finish(),
    };
  } finally {
    await writer.abort();
  }
};

/** A backup that lacks media files, or has one store only, is not the one to rely on. */
const record = async (url: string, report: ArchiveReport, { onUnrecorded }: BackupOptions): Promise<void> => {
  if (report.store !== null || report.missingMediaFiles > 0) return;
  try {
    await (await storageAt(url)).recordBackup(url, report);
  } catch (error) {
    onUnrecorded?.(reasonOf(error));
  }
};

/**
 * Writes all stores, or one of them, as they are at one moment, into a new file, while the server
 * runs. SECRET_KEYS are not in it. Throws a StartFailure of one line for what the operator can fix;
 * there is no file then.
 */
export const backup = (settings: BackupSettings, options: BackupOptions): Promise<ArchiveReport> =>
  asStartFailure(async () => {
    const database = await reachDatabase(settings);
    try {
      const snapshot = await (await storageAt(database.url)).openSnapshot(database.url, options.store ?? null);
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
      const report = await write(snapshot, settings, options).finally(() => snapshot.close());
      await record(database.url, report, options);
      return report;
    } finally {
      await database.stop();
    }
  });
