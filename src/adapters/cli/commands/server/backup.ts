import { backup } from '../../../wiring/archive/backup.ts';
import type { CliContext } from '../../context.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { archivePrinter } from './archive-report.ts';
import { existingSettings } from './settings.ts';

export interface BackupFlags extends PrintFlags {
  readonly media?: boolean;
}

const WITHOUT_KEYS = 'SECRET_KEYS are not in it. Keep them in another place: nothing can use the backup without them.';

/** Writes a backup of all stores. */
export const backupCommand = async (context: CliContext, flags: BackupFlags, file: string): Promise<void> => {
  const { onProgress, done, say } = archivePrinter(context, flags);
  done(`Wrote ${file}`, await backup(await existingSettings(), { file, media: flags.media === true, onProgress }));
  say(WITHOUT_KEYS);
};

/** Writes one store, by its id or its domain. */
export const exportStoreCommand = async (context: CliContext, flags: BackupFlags, store: string, file: string): Promise<void> => {
  const { onProgress, done, say } = archivePrinter(context, flags);
  done(
    `Wrote ${store} to ${file}`,
    await backup(await existingSettings(), { file, store, media: flags.media === true, onProgress }),
  );
  say(WITHOUT_KEYS);
};
