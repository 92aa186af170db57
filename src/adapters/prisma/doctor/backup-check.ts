import { fine, skipped, warning, type UnnamedFinding } from '../../storage/finding.ts';
import type { LastBackup } from '../../storage/archive.ts';

/** A backup every night, with half a day to notice that one is missing. The alert TenonBackupOld has the same limit. */
const WARNS_HOURS = 36;

export const judgeBackup = (last: LastBackup | null): UnnamedFinding => {
  if (last === null) return skipped('no backup was made by tenon backup');
  const hours = last.ageSeconds / 3_600;
  const megabytes = (last.bytes / 1_000_000).toFixed(1);
  const message = `the last backup is ${hours.toFixed(1)} hours old: ${last.rows.toLocaleString('en')} rows, ${megabytes} MB`;
  return hours < WARNS_HOURS
    ? fine(message)
    : warning(message, 'Run tenon backup, and look why nothing ran it: systemctl status tenon-backup.timer tenon-backup.');
};
