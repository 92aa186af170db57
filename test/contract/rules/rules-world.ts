import type { PortsSoFar } from '../../../src/adapters/storage/so-far.ts';
import type { StoragePromise } from '../../../src/adapters/storage/storage-engine.ts';
import type { CrashShop } from './crash-writers.ts';
import type { StoragePorts } from '../../../src/adapters/storage/storage.ts';

/** An empty storage for the rules that all ports have. */
export interface RulesWorld {
  /** Ports that are not there yet, and methods of ports, are left out. */
  readonly ports: PortsSoFar<StoragePorts>;
  /** Creates a store with this domain, and returns its id. */
  aStore(domain: string): Promise<string>;
  /** Creates an installation with all scopes and this client id, and returns its id. */
  anInstallation(storeId: string, clientId: string): Promise<string>;
  /** The engine refuses the next transactions, as it does when it prefers those of others. */
  refuse(next: number): Promise<void>;
  close(): Promise<void>;
}

/** A storage that can crash. */
export interface CrashWorld {
  /** How often it crashes: 12 times unless said. Fewer may miss a commit that is stored in parts. */
  readonly crashes?: number;
  /** A store and its installation, with the definition of `prepare` of crash-writers.ts. */
  readonly shop: CrashShop;
  /**
   * Runs `writeOn` of crash-writers.ts, in this process or in another one, until the crash. Calls `onDone` with the number of each
   * write that is acknowledged. Numbers continue behind those of earlier calls.
   */
  write(onDone: (number: number) => void): Promise<void>;
  /** Ends the engine as a crash does: it writes nothing more. */
  crash(): Promise<void>;
  /** Opens it again. Returns the ports. */
  reopen(): Promise<PortsSoFar<StoragePorts>>;
  close(): Promise<void>;
}

export interface RulesWorlds {
  readonly name: string;
  readonly promises: ReadonlySet<StoragePromise>;
  rules(): Promise<RulesWorld>;
  /** Is there where the engine is `durable`. */
  readonly durable?: () => Promise<CrashWorld>;
}
