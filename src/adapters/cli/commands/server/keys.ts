import { openDatabase } from '../../../prisma/connection/database.ts';
import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { rotateKeys } from '../../../wiring/keys/rotate-keys.ts';
import { StartFailure } from '../../../wiring/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter } from '../../output/printer.ts';
import type { PrintFlags } from '../../output/printer.ts';
import { requireMigrations } from './migrate.ts';
import { existingSettings } from './settings.ts';

/** Seals every secret again under the first of SECRET_KEYS. */
export const rotateKeysCommand = async ({ process }: CliContext, flags: PrintFlags): Promise<void> => {
  const settings = await existingSettings();
  const [first, ...others] = settings.SECRET_KEYS;
  if (first === undefined) throw new StartFailure('SECRET_KEYS has no key.');
  const print = createPrinter(process, flags);
  const server = await reachDatabase(settings);
  const database = openDatabase({ url: server.url, connections: 1 });
  try {
    await requireMigrations(database);
    const report = await rotateKeys(database, [first, ...others]);
    if (flags.json === true) print.one(report, {});
    print.say(`${String(report.resealed)} secrets were sealed again, under ${report.kid}.`);
    if (report.unopened > 0) {
      throw new CommandFailure(
        `${String(report.unopened)} secrets have a key that SECRET_KEYS does not have. Add it behind the first, and repeat this.`,
      );
    }
    print.say('Once every server has this key first, repeat this. Then the other keys can be removed from SECRET_KEYS.');
  } finally {
    await database.close();
    await server.stop();
  }
};
