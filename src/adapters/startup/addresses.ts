import { createServer } from 'node:net';

import { codeOf, messageOf } from '../../domain/values/error.ts';
import { StartFailure } from './start-failure.ts';

/** Address of a listener, and the settings that choose it. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly hostSetting: string;
  readonly portSetting: string;
}

/** Says in one line why a listener cannot open there, and what to do. */
export const addressFault = (error: unknown, { host, port, portSetting, hostSetting }: Address): StartFailure => {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${String(port)} on ${host} is taken. Stop the program that listens there, or set ${portSetting}.`,
    EACCES: `This user may not open port ${String(port)} on ${host}. Set ${portSetting}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${hostSetting}.`,
    ENOTFOUND: `${host} is not an address of this machine. Set ${hostSetting}.`,
  };
  const reason = reasons[String(codeOf(error))];
  return new StartFailure(reason ?? `The server cannot listen on ${host}:${String(port)}: ${messageOf(error)}.`, {
    cause: error,
  });
};

const faultAt = (address: Address): Promise<StartFailure | null> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => {
      resolve(addressFault(error, address));
    });
    probe.listen(address.port, address.host, () => {
      probe.close(() => {
        resolve(null);
      });
    });
  });

/**
 * Opens each address for a moment. Throws a StartFailure with a line for each that is not available, before
 * a database is made or migrated for nothing.
 */
export const requireAddresses = async (addresses: readonly Address[]): Promise<void> => {
  const faults = (await Promise.all(addresses.map(faultAt))).filter((fault) => fault !== null);
  if (faults.length > 0) throw new StartFailure(faults.map(({ message }) => message).join('\n'), { cause: faults[0] });
};
