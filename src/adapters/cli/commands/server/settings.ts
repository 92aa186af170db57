import { NEVER_EMPTY, withLocalSecrets } from '../../../startup/local-secrets.ts';
import { readConfig, type Config } from '../../../wiring/settings/config.ts';
import { StartFailure } from '../../../startup/start-failure.ts';

/**
 * The settings of a server that exists, from the environment and its data directory. Unlike a start
 * this never makes secrets: new ones would open nothing. Throws a StartFailure when there are none.
 */
export const existingSettings = async (config = readConfig()): Promise<Config> => {
  if (!config.ok) throw new StartFailure(config.message);
  const { SECRET_KEYS } = config.value;
  // Only a server needs the token.
  const ADMIN_TOKEN = config.value.ADMIN_TOKEN ?? (SECRET_KEYS === undefined ? undefined : '');
  return withLocalSecrets({ ...config.value, ADMIN_TOKEN }, NEVER_EMPTY);
};
