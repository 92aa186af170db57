import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { requireAddresses, type Address } from '../../../src/adapters/startup/addresses.ts';
import { StartFailure } from '../../../src/adapters/startup/start-failure.ts';

const host = '127.0.0.1';
const held: Server[] = [];
const hold = async (): Promise<number> => {
  const server = createServer();
  held.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
};
afterEach(() => {
  for (const server of held.splice(0)) server.close();
});

const publicAt = (port: number): Address => ({ host, port, hostSetting: 'HOST', portSetting: 'PORT' });
const adminAt = (port: number): Address => ({ host, port, hostSetting: 'ADMIN_HOST', portSetting: 'ADMIN_PORT' });

describe('the addresses of a start', () => {
  it('names every port that is taken at once, each with its setting', async () => {
    const [first, second] = [await hold(), await hold()];
    const checked = requireAddresses([publicAt(first), adminAt(second)]);
    await expect(checked).rejects.toThrow(StartFailure);
    await expect(checked).rejects.toThrow(
      `Port ${first} on 127.0.0.1 is taken. Stop the program that listens there, or set PORT.\n` +
        `Port ${second} on 127.0.0.1 is taken. Stop the program that listens there, or set ADMIN_PORT.`,
    );
  });

  it('are free again after the look', async () => {
    const port = await hold();
    await new Promise((resolve) => held.pop()?.close(resolve));
    await requireAddresses([publicAt(port)]);
    await requireAddresses([publicAt(port), adminAt(0)]);
  });

  it('names the setting of an address that this machine does not have', async () => {
    const address = { ...adminAt(0), host: '192.0.2.1' };
    await expect(requireAddresses([address])).rejects.toThrow('192.0.2.1 is not an address of this machine. Set ADMIN_HOST.');
  });
});
