import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system hands out by itself: from 32768 on Linux, and from 49152 elsewhere. */
const [LEAST, END] = [10_000, 32_000];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  if (listens) await once(server, 'close');
  return listens;
};

/**
 * A port of loopback that nobody listens on now, and that the system gives to nobody else: a server
 * that listens on it later, or again after a kill, finds it free.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LEAST, END);
    if (await isFree(port)) return port;
  }
};
