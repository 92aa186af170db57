import { reachDatabase } from '../../../wiring/archive/reach-database.ts';
import { requireSealing } from '../../../wiring/keys/require-sealing.ts';
import { rotateKeys } from '../../../wiring/keys/rotate-keys.ts';
import { forgetRemedy, judgeKeys, KEY_MISSING, keyLost, keyMissing } from '../../../wiring/keys/unopened.ts';
import { storageAt } from '../../../wiring/storage.ts';
import { StartFailure } from '../../../startup/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';
import { requireMigrations } from './migrate.ts';
import { existingSettings } from './settings.ts';
import { plural } from '../../../../domain/values/plural.ts';

export const rotateKeysCommand = async ({ process }: CliContext, flags: PrintFlags): Promise<void> => {
  const settings = await existingSettings();
  const [first, ...others] = settings.SECRET_KEYS;
  if (first === undefined) throw new StartFailure('SECRET_KEYS has no key.');
  const print = createPrinter(process, flags);
  const server = await reachDatabase(settings);
  const storage = (await storageAt(server.url)).openTool(server.url);
  try {
    await requireMigrations(storage);
    await requireSealing(storage.processes, first.kid);
    const report = await rotateKeys(storage.secrets, [first, ...others]);
    if (flags.json === true) print.one({ ...report, unopened: Object.fromEntries(report.unopened) }, {});
    print.say(`${plural(report.resealed, 'secret was', 'secrets were')} encrypted again with ${report.kid}.`);
    const { missing, lost } = judgeKeys(report.unopened, settings);
    if (lost.size > 0) print.say(`${keyLost(lost)}. ${forgetRemedy(lost)}`);
    if (missing.size > 0) throw new CommandFailure(`${keyMissing(missing)}. ${KEY_MISSING} Then run this command again.`);
    print.say(
      `Keep the other keys for ${plural(settings.WEBHOOK_LOG_DAYS, 'more day', 'more days')}: cursors of the feed that apps keep need them. Then you can remove them from SECRET_KEYS.`,
    );
  } finally {
    await storage.close();
    await server.stop();
  }
};
