import { importStore, restore } from '../../../wiring/archive/restore.ts';
import type { CliContext } from '../../context.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { archivePrinter } from './archive-report.ts';
import { existingSettings } from './settings.ts';

export const restoreCommand = async (context: CliContext, flags: PrintFlags, file: string): Promise<void> => {
  const { options, run, done } = archivePrinter(context, flags);
  const settings = await existingSettings();
  done(`Restored ${file}`, await run(() => restore(settings, { file, ...options })));
};

export const importStoreCommand = async (context: CliContext, flags: PrintFlags, file: string): Promise<void> => {
  const { options, run, done } = archivePrinter(context, flags);
  const settings = await existingSettings();
  const report = await run(() => importStore(settings, { file, ...options }));
  done(`Imported ${report.store?.domain ?? file}`, report);
};
