import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { messageOf } from '../../domain/values/error.ts';
import { birthOf, isAlive } from './processes.ts';
import { StartFailure } from './start-failure.ts';

const stored = z.object({ adminUrl: z.url(), pid: z.number(), birth: z.string() });

export interface ServerRecord {
  /** Address at which the server of the data directory listens, or listened last. */
  readonly adminUrl: string;
  readonly isRunning: boolean;
}

const recordFile = (dataDir: string): string => join(dataDir, 'server.json');

/**
 * Notes in the data directory where its server listens. The command line finds the server by it, and sends the token of
 * the directory nowhere else.
 */
export const recordServer = async (dataDir: string, adminUrl: string): Promise<void> => {
  const path = recordFile(dataDir);
  const draft = `${path}.${String(process.pid)}`;
  const record = { adminUrl: new URL(adminUrl).origin, pid: process.pid, birth: await birthOf(process.pid) };
  try {
    await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    throw new StartFailure(`The file ${path} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
};

/** The server that was started last in the data directory; null where none has left a record that can be read. */
export const readServerRecord = async (dataDir: string): Promise<ServerRecord | null> => {
  try {
    const { adminUrl, pid, birth } = stored.parse(JSON.parse(await readFile(recordFile(dataDir), 'utf8')));
    return { adminUrl, isRunning: (await isAlive(pid)) && (await birthOf(pid)) === birth };
  } catch {
    return null;
  }
};
