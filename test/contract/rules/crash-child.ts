import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';
import { prepare, writeOn, type CrashShop } from './crash-writers.ts';
import type { CrashWorld } from './rules-world.ts';

/** A storage in a folder, opened by this process. */
export interface OpenedStorage {
  readonly ports: PortsSoFar<StoragePorts>;
  aStore(domain: string): Promise<string>;
  anInstallation(storeId: string, clientId: string): Promise<string>;
  close(): Promise<void>;
}

interface Opens {
  open(path: string): Promise<OpenedStorage>;
}

interface Order {
  readonly module: string;
  readonly path: string;
  readonly shop: CrashShop;
  readonly from: number;
}

const load = async (module: string): Promise<Opens> => (await import(pathToFileURL(module).href)) as Opens;

/**
 * A world whose engine works in the process that uses it. The module exports `open(path)`. A child process writes, and is killed by
 * SIGKILL.
 */
export const crashingChild = async (module: string): Promise<CrashWorld> => {
  const path = await mkdtemp(join(tmpdir(), 'tenon-crash-'));
  const { open } = await load(module);
  let opened: OpenedStorage | undefined = await open(path);
  const storeId = await opened.aStore('crash.test');
  const shop = { storeId, installationId: await opened.anInstallation(storeId, 'client') };
  await prepare(opened.ports, shop);
  const closeOwn = async (): Promise<void> => {
    await opened?.close();
    opened = undefined;
  };
  let child: ChildProcess | undefined;
  let last = 0;
  return {
    shop,
    write: async (onDone) => {
      await closeOwn();
      const order: Order = { module, path, shop, from: last };
      const running = fork(import.meta.filename, [JSON.stringify(order)], { execArgv: ['--import', 'tsx'] });
      child = running;
      running.on('message', (number: number) => {
        last = Math.max(last, number);
        onDone(number);
      });
      const [code, signal] = (await once(running, 'exit')) as [number | null, NodeJS.Signals | null];
      if (signal !== 'SIGKILL') throw new Error(`the writers ended with ${String(code ?? signal)}`);
    },
    crash: async () => {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    reopen: async () => {
      last += 100;
      opened = await open(path);
      return opened.ports;
    },
    close: async () => {
      await closeOwn();
      await rm(path, { recursive: true, force: true });
    },
  };
};

const [, main, given] = process.argv;
if (main === import.meta.filename && given !== undefined) {
  const { module, path, shop, from } = JSON.parse(given) as Order;
  const { open } = await load(module);
  const { ports } = await open(path);
  await writeOn(ports, shop, from, (number) => process.send?.(number));
  process.exit(1);
}
