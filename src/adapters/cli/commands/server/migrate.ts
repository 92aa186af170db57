import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { readConfig } from '../../../wiring/settings/config.ts';
import { StartFailure, unreachable } from '../../../startup/start-failure.ts';
import type { StorageTool } from '../../../storage/storage.ts';
import { storageAt } from '../../../wiring/storage.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';

export interface MigrateFlags extends Pick<PrintFlags, 'quiet'> {
  readonly check?: boolean;
}

/** Throws a CommandFailure when the database lacks migrations. */
export const requireMigrations = async ({ isMigrated }: Pick<StorageTool, 'isMigrated'>): Promise<void> => {
  const migrated = await isMigrated().catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!migrated) throw new CommandFailure('The database has pending migrations. Run tenon migrate.');
};

export const migrateCommand = async ({ process }: CliContext, flags: MigrateFlags): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const print = createPrinter(process, flags);
  const server = await reachDatabase(config.value, { mayCreate: flags.check !== true, onProgress: print.say });
  const storage = (await storageAt(server.url)).openTool(server.url);
  try {
    if (flags.check === true) await requireMigrations(storage);
    else await storage.migrate({ onProgress: print.say, onWait: print.say });
    print.say('The database is up to date.');
  } finally {
    await storage.close();
    await server.stop();
  }
};
