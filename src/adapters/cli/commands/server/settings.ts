import { existsSync } from 'node:fs';

import { secretsFile, withLocalSecrets } from '../../../startup/local-secrets.ts';
import { readConfig, type Config } from '../../../wiring/settings/config.ts';
import { StartFailure } from '../../../startup/start-failure.ts';

/**
 * The settings of a server that exists, from the environment and its data directory. Unlike a start
 * this never makes secrets: new ones would open nothing. Throws a StartFailure when there are none.
 */
export const existingSettings = async (config = readConfig()): Promise<Config> => {
  if (!config.ok) throw new StartFailure(config.message);
  const { SECRET_KEYS, DATA_DIR } = config.value;
  if (SECRET_KEYS === undefined && !existsSync(secretsFile(DATA_DIR))) {
    throw new StartFailure(
      `SECRET_KEYS is not set. Set it as on the server, or copy secrets.json from the server to ${secretsFile(DATA_DIR)}.`,
    );
  }
  // Only a server needs the token.
  const ADMIN_TOKEN = config.value.ADMIN_TOKEN ?? (SECRET_KEYS === undefined ? undefined : '');
  return withLocalSecrets({ ...config.value, ADMIN_TOKEN });
};
