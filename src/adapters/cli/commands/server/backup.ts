import { backup } from '../../../wiring/archive/backup.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { archivePrinter } from './archive-report.ts';
import { existingSettings } from './settings.ts';

export interface BackupFlags extends PrintFlags {
  readonly media?: boolean;
}

const WITHOUT_KEYS = 'SECRET_KEYS are not included. Keep them in another place: the backup is useless without them.';

const write = async (context: CliContext, flags: BackupFlags, file: string, store?: string): Promise<void> => {
  const { options, run, done, say } = archivePrinter(context, flags);
  const settings = await existingSettings();
  const onUnrecorded = (reason: string): void => {
    say(`The backup is complete, and is not recorded for tenon doctor and tenon_backup_age_seconds: ${reason}.`);
  };
  const chosen = { file, media: flags.media === true, onUnrecorded, ...options, ...(store !== undefined && { store }) };
  const report = await run(() => backup(settings, chosen));
  done(`Wrote ${file}`, report);
  say(WITHOUT_KEYS);
  if (report.missingMediaFiles > 0) {
    throw new CommandFailure(
      `Media files that products refer to are missing from the storage, and so from ${file}: ${String(report.missingMediaFiles)}. It has everything else.`,
    );
  }
};

export const backupCommand = (context: CliContext, flags: BackupFlags, file: string): Promise<void> =>
  write(context, flags, file);

export const exportStoreCommand = (context: CliContext, flags: BackupFlags, store: string, file: string): Promise<void> =>
  write(context, flags, file, store);
