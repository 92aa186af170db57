import type { NodeListener, NodeMessages, NodeTopic } from '../../domain/ports/node-messages.ts';
import { DatabaseUnavailable, type Transaction, type TransactionPorts } from '../../domain/ports/transaction.ts';
import { PORT_METHODS, TRANSACTION_METHODS } from './port-methods.ts';
import type { SealedSecrets, StoredPepper } from './sealed-secrets.ts';
import type { Storage, StoragePorts } from './storage.ts';

/** Makes ports and their methods optional. */
export type PortsSoFar<Ports> = { readonly [Name in keyof Ports]?: Partial<Ports[Name]> };

type Methods = Readonly<Record<string, readonly PropertyKey[]>>;
type AnyPorts = Readonly<Record<string, Readonly<Record<PropertyKey, unknown>> | undefined>>;

/** Resolves or returns at once without a result: a caller does not wait for them, or they end something. */
const SILENT: ReadonlySet<string> = new Set([
  'feedSignal.announce',
  'feedSignal.endWatches',
  'feedSignal.close',
  'workLeases.close',
]);

class NotWritten extends DatabaseUnavailable {}

/** True for the outage of a port that is not written. */
export const isNotWritten = (error: unknown): boolean => error instanceof NotWritten;

const notWritten = (name: string) => (): Promise<never> | undefined =>
  SILENT.has(name) ? undefined : Promise.reject(new NotWritten(`There is no ${name} yet.`));

/** Completes the ports with methods that are an outage. A port is a plain object, since Tenon copies and takes apart ports. */
const complete = <Ports extends object>(written: PortsSoFar<Ports>, methods: Methods, prefix: string): Ports =>
  Object.fromEntries(
    Object.entries(methods).map(([name, members]) => {
      const port = (written as AnyPorts)[name];
      return [
        name,
        Object.fromEntries(members.map((member) => [member, port?.[member] ?? notWritten(`${prefix}${name}.${String(member)}`)])),
      ];
    }),
  ) as Ports;

const completeTransaction = (transaction: Partial<Transaction>): Transaction => {
  const bound = (ports: TransactionPorts): TransactionPorts =>
    complete<TransactionPorts>(ports, TRANSACTION_METHODS, 'transaction.');
  const { run, runClaimed } = complete<{ transaction: Transaction }>(
    { transaction },
    { transaction: ['run', 'runClaimed'] },
    '',
  ).transaction;
  return {
    run: (cause, work) => run(cause, (ports) => work(bound(ports))),
    runClaimed: (claim, work) => runClaimed(claim, (ports) => work(bound(ports))),
  };
};

/** All ports. A method that is not written rejects with a DatabaseUnavailable that has its name. */
export const portsSoFar = (written: PortsSoFar<StoragePorts>): StoragePorts => ({
  ...complete<StoragePorts>(written, PORT_METHODS, ''),
  transaction: completeTransaction(written.transaction ?? {}),
});

/** Names of the ports and methods that are not written, for `StorageExamination.missing`. */
export const missingPorts = (written: PortsSoFar<StoragePorts>): readonly string[] =>
  Object.entries(PORT_METHODS as Methods).flatMap(([name, members]) => {
    const port = (written as AnyPorts)[name];
    return port ? members.filter((member) => !(member in port)).map((member) => `${name}.${String(member)}`) : [name];
  });

/** Messages between the listeners of one process. */
const messagesOfOneProcess = (): NodeMessages => {
  const listening = new Set<{ readonly topic: NodeTopic; readonly listener: NodeListener }>();
  let isOpen = true;
  return {
    send: (topic, message) => {
      if (!isOpen) return false;
      for (const one of [...listening]) if (one.topic === topic) one.listener.onMessage(message);
      return true;
    },
    listen: (topic, listener) => {
      const one = { topic, listener };
      if (isOpen) listening.add(one);
      if (isOpen) listener.onConnected?.();
      return () => {
        listening.delete(one);
      };
    },
    close: () => {
      isOpen = false;
      listening.clear();
      return Promise.resolve();
    },
  };
};

/** Keeps peppers until the process ends. */
const secretsOfOneProcess = (): SealedSecrets => {
  const peppers = new Map<string, StoredPepper>();
  const nothing = { expiredSigningSecrets: 0, signingSecretsOfUninstalledApps: 0, peppers: 0 };
  return {
    tables: [],
    samples: () => Promise.resolve([]),
    useOf: () => Promise.resolve({ needed: 0, unneeded: nothing }),
    ownersOf: () => Promise.resolve([]),
    forget: () => Promise.resolve(nothing),
    peppers: {
      list: () => Promise.resolve([...peppers.values()]),
      put: (pepper) => {
        peppers.set(pepper.id, pepper);
        return Promise.resolve();
      },
    },
  };
};

export interface StorageSoFar extends Partial<Omit<Storage, 'app' | 'unlimited'>> {
  readonly ports: PortsSoFar<StoragePorts>;
}

/**
 * The storage of an adapter that is being written. A server starts on it. A request that needs a port that is not written gets 503,
 * and the log names the port.
 */
export const storageSoFar = ({ ports: written, ...own }: StorageSoFar): Storage => {
  const ports = portsSoFar(written);
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    app: ports,
    unlimited: ports,
    processes: ports.processes,
    secrets: secretsOfOneProcess(),
    isMigrated: () => Promise.resolve(true),
    isEmpty: () => Promise.resolve(true),
    migrate: nothing,
    openMessages: messagesOfOneProcess,
    checkWrites: nothing,
    hasStandby: () => Promise.resolve(true),
    generation: 1,
    clockSkewMs: () => Promise.resolve(0),
    requireGeneration: nothing,
    maintenance: [],
    figures: () => ({
      pool: { open: 0, idle: 0, waiting: 0 },
      readCache: { hits: 0, misses: 0, entries: 0, bytes: 0 },
    }),
    replicationFigures: () => Promise.resolve({ standbys: 0, standbysMissing: 0, replicationLagBytes: null }),
    lastBackup: () => Promise.resolve(null),
    close: nothing,
    ...own,
  };
};
