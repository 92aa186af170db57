import pino from 'pino';

import { startServer } from '../../src/adapters/wiring/serve/server.ts';
import { configOf } from './app.ts';
import { SETTINGS, type ProcessOptions, type ServerProcess } from './server.ts';

export type LocalServer = Pick<ServerProcess, 'url' | 'adminUrl' | 'errors' | 'end'>;

/**
 * A server with the settings of `startProcess`, in this process, which spares two seconds of
 * processor time. For one that no test kills or stops. `end()` lets what runs end.
 */
export const startLocally = async ({ databaseUrl, env = {} }: Omit<ProcessOptions, 'entry'>): Promise<LocalServer> => {
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const { url, adminUrl, stop } = await startServer(configOf({ ...SETTINGS, ...env }), databaseUrl, log);
  let ended: Promise<void> | undefined;
  return { url: url ?? '', adminUrl, errors, end: () => (ended ??= stop()) };
};
