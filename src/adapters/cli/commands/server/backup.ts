import { backup } from '../../../wiring/archive/backup.ts';
import type { CliContext } from '../../context.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { archivePrinter } from './archive-report.ts';
import { existingSettings } from './settings.ts';

export interface BackupFlags extends PrintFlags {
  readonly media?: boolean;
}

const WITHOUT_KEYS = 'SECRET_KEYS are not in it. Keep them in another place: nothing can use the backup without them.';

const write = async (context: CliContext, flags: BackupFlags, file: string, store?: string): Promise<void> => {
  const { options, run, done, say } = archivePrinter(context, flags);
  const settings = await existingSettings();
  const chosen = { file, media: flags.media === true, ...options, ...(store !== undefined && { store }) };
  done(`Wrote ${file}`, await run(() => backup(settings, chosen)));
  say(WITHOUT_KEYS);
};

/** Writes a backup of all stores. */
export const backupCommand = (context: CliContext, flags: BackupFlags, file: string): Promise<void> =>
  write(context, flags, file);

/** Writes one store, by its id or its domain. */
export const exportStoreCommand = (context: CliContext, flags: BackupFlags, store: string, file: string): Promise<void> =>
  write(context, flags, file, store);
