import type { Clock } from '../../domain/ports/clock.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { NodeMessages } from '../../domain/ports/node-messages.ts';
import type {
  ArchivedContent,
  ArchivedStore,
  LastBackup,
  Load,
  RequireKeys,
  SealedContent,
  Snapshot,
  WrittenBackup,
} from './archive.ts';
import type { NamedCheck, Reach } from './finding.ts';
import type { SealedSecrets } from './sealed-secrets.ts';
import type { Shards } from './shards.ts';

export type StoragePorts = Omit<
  Ports,
  | 'addresses'
  | 'clock'
  | 'deliveryQueue'
  | 'ids'
  | 'importQueue'
  | 'mediaSource'
  | 'mediaStorage'
  | 'patterns'
  | 'secrets'
  | 'turns'
  | 'webhookSender'
>;

/** The memory of a node for renderings, unless the operator sets it, in MiB. */
export const READ_CACHE_MB = 48;

export interface MigrateOptions {
  readonly onProgress?: (message: string) => void;
  /** Called every few seconds while another process migrates, or uses a table that a migration changes. */
  readonly onWait?: (message: string) => void;
}

/** Access for a command, beside nodes at work. Connects at the first use. */
export interface StorageTool {
  readonly secrets: SealedSecrets;
  readonly processes: Pick<Ports['processes'], 'list'>;
  /** True when the schema is that of this version. Rejects where the database can't be reached. */
  isMigrated(): Promise<boolean>;
  /** Returns true if no store, app or operator has a row, and so no secret. Throws a StartFailure where the database can't be reached. */
  isEmpty(): Promise<boolean>;
  /** Throws a StartFailure where the database can't be reached, can't be used or can't be migrated. */
  migrate(options?: MigrateOptions): Promise<void>;
  close(): Promise<void>;
}

/** The doctor's view of the storage. It leaves everything unchanged. */
export interface StorageExamination extends Pick<StorageTool, 'secrets' | 'processes' | 'close'> {
  reach(): Promise<Reach>;
  /** Names of the ports and methods that the adapter does not have yet. */
  readonly missing?: readonly string[];
  /** In the order in which they are shown. That of the migrations is named `migrations`. */
  readonly checks: readonly NamedCheck[];
  readonly deliveries: Pick<Ports['deliveries'], 'figures'>;
  readonly mediaFiles: Pick<Ports['mediaFiles'], 'unused'>;
}

/** A node's occasional maintenance of its storage, besides its work. */
export interface MaintenanceTask {
  /** For the log: `${task} failed.` */
  readonly task: string;
  readonly seconds: number;
  /** True where only nodes with a worker do it. */
  readonly isWorkers: boolean;
  run(): Promise<unknown>;
}

export interface NodeOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Connections of requests and background work. */
  readonly connections: number;
  /** The limit of each statement of the app API, in milliseconds; 0 for none. */
  readonly statementTimeoutMs: number;
  /** The limit of a search of products, in milliseconds. */
  readonly searchTimeoutMs: number;
  readonly idempotencyTtlSeconds: number;
  readonly accessTokenTtlSeconds: number;
  readonly readCacheMb: number;
  /** A connection was lost that is opened again. The message is a sentence for the log. */
  readonly onLost: (error: unknown, message: string) => void;
}

export interface StorageFigures {
  readonly pool: { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly readCache: { readonly hits: number; readonly misses: number; readonly entries: number; readonly bytes: number };
}

/** Replication of the stored rows to other machines. Null where nobody may know. */
export interface ReplicationFigures {
  readonly standbys: number;
  readonly standbysMissing: number;
  readonly replicationLagBytes: number | null;
}

/** The storage of a node at work. */
export interface Storage extends StorageTool {
  /** For the app API: a statement is cancelled after `statementTimeoutMs`. */
  readonly app: StoragePorts;
  /** For the admin API and the background work, on the same connections and without that limit. */
  readonly unlimited: StoragePorts;
  /** Messages between nodes where there is no Redis. */
  openMessages(onLost: (error: Error) => void): NodeMessages;
  /** Rejects unless it answers on the path that requests take, and takes a write. */
  checkWrites(): Promise<void>;
  /** True when each commit is kept where the operator wants it. Reads continue without. */
  hasStandby(): Promise<boolean>;
  /** Generation of this build. It rises with each migration that older processes cannot work with. */
  readonly generation: number;
  /** Between the clocks of this machine and the storage. */
  clockSkewMs(): Promise<number>;
  /** Throws an OutdatedProcess once the schema is too new for this process. */
  requireGeneration(): Promise<void>;
  readonly maintenance: readonly MaintenanceTask[];
  figures(): StorageFigures;
  replicationFigures(): Promise<ReplicationFigures>;
  /** Null where none was recorded. */
  lastBackup(): Promise<LastBackup | null>;
}

/** Keeps the rows in an engine. */
export interface StorageAdapter {
  open(url: string, options: NodeOptions): Storage;
  openTool(url: string): StorageTool;
  /** Null where the database does not have its stores on several servers. Throws a StartFailure where it can't be reached. */
  openShards(url: string): Promise<Shards | null>;
  examine(url: string, options: ExamineOptions): StorageExamination;
  /**
   * Opens a snapshot of all stores, or of one, by its id or its domain. Throws a StartFailure when the database can't
   * be reached, has no such store, or has a schema that this version does not know.
   */
  openSnapshot(url: string, store: string | null): Promise<Snapshot>;
  /** Records a backup of all stores. Rejects in a database of an older version. */
  recordBackup(url: string, written: WrittenBackup): Promise<void>;
  /**
   * Begins to fill an empty database. Its commit also applies the migrations that came after the backup. Throws a StartFailure when it
   * is not empty, or the schema of the backup is not known. Before its commit, `requireKeys` is given the keys of what is sealed: it
   * throws when one is missing.
   */
  beginRestore(url: string, content: ArchivedContent, requireKeys: RequireKeys): Promise<Load>;
  /**
   * Begins to import a store beside others. Throws a StartFailure when its id or its domain exists already, the schema is
   * another one, or the file has what no export has. Before its commit, every row is held to the store, and `requireOpen` is
   * given what is sealed: it throws unless the keys open all of it.
   */
  beginImport(
    url: string,
    content: ArchivedContent & { readonly store: ArchivedStore },
    requireOpen: (sealed: SealedContent) => Promise<void>,
  ): Promise<Load>;
}

/** Expected values for the doctor's checks. */
export interface ExamineOptions {
  /** Connections of each process. */
  readonly connections: number;
  /** Processes of one node. */
  readonly processes: number;
  /** True for the database that Tenon brings. */
  readonly isEmbedded: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
}
