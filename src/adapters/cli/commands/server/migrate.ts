import { openDatabase, type Database } from '../../../prisma/connection/database.ts';
import { unreachable } from '../../../prisma/connection/unreachable.ts';
import { migrate, migrationsCheck } from '../../../prisma/connection/migrate.ts';
import { refuseSharedConnections } from '../../../prisma/connection/pooling.ts';
import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { readConfig } from '../../../wiring/settings/config.ts';
import { StartFailure } from '../../../startup/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';

export interface MigrateFlags extends PrintFlags {
  readonly check?: boolean;
}

/** Throws a CommandFailure when the database lacks migrations. */
export const requireMigrations = async (database: Database): Promise<void> => {
  const isMigrated = await migrationsCheck(database)().catch((error: unknown) => {
    throw unreachable(error);
  });
  if (!isMigrated) throw new CommandFailure('The database has pending migrations. Run tenon migrate.');
};

export const migrateCommand = async ({ process }: CliContext, flags: MigrateFlags): Promise<void> => {
  const config = readConfig();
  if (!config.ok) throw new StartFailure(config.message);
  const print = createPrinter(process, flags);
  const server = await reachDatabase(config.value, { mayCreate: flags.check !== true, onProgress: print.say });
  const database = openDatabase({ url: server.url, connections: 1 });
  try {
    if (flags.check === true) await requireMigrations(database);
    else {
      await refuseSharedConnections(server.url);
      await migrate(database, { onProgress: print.say, onWait: print.say });
    }
    print.say('The database is up to date.');
  } finally {
    await database.close();
    await server.stop();
  }
};
