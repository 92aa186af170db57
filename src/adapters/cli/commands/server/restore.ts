import { importStore, restore } from '../../../wiring/archive/restore.ts';
import type { CliContext } from '../../context.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { archivePrinter } from './archive-report.ts';
import { existingSettings } from './settings.ts';

/** Restores a backup into an empty database. */
export const restoreCommand = async (context: CliContext, flags: PrintFlags, file: string): Promise<void> => {
  const { onProgress, done } = archivePrinter(context, flags);
  done(`Restored ${file}`, await restore(await existingSettings(), { file, onProgress }));
};

/** Imports one store beside the others. */
export const importStoreCommand = async (context: CliContext, flags: PrintFlags, file: string): Promise<void> => {
  const { onProgress, done } = archivePrinter(context, flags);
  const report = await importStore(await existingSettings(), { file, onProgress });
  done(`Imported ${report.store?.domain ?? file}`, report);
};
