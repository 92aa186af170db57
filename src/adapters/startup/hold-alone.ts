import { link, lstat, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';

import { codeOf } from '../../domain/values/error.ts';
import { StartFailure } from './start-failure.ts';

const listenAt = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => {
      resolve(server.unref());
    });
  });

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const end = (answered: boolean) => (): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });

/** Identity of the file. Null where there is none. */
const fileAt = (path: string): Promise<bigint | null> =>
  lstat(path, { bigint: true }).then(
    ({ ino }) => ino,
    () => null,
  );

/** Removes the socket that a killed process left, but not one that another process has made since. */
const removeStale = async (path: string, stale: bigint | null): Promise<void> => {
  const aside = `${path}.${String(process.pid)}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await fileAt(aside)) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
};

/**
 * Holds the path for this process alone, by a Unix socket, which ends with its process. Returns a function that ends it. Throws a
 * StartFailure while another process holds it.
 */
export const holdAlone = async (path: string): Promise<() => Promise<void>> => {
  for (let left = 3; left > 0; left -= 1) {
    const server = await listenAt(path);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    const stale = await fileAt(path);
    if (await isAnswered(path)) break;
    await removeStale(path, stale);
  }
  throw new StartFailure('The database of DATABASE_URL is in use. It is for one process: stop the other one first.');
};
