/** A server that has stores: `host:port`. */
export interface ShardNode {
  readonly node: string;
  /** False of a server without stores, such as the coordinator. */
  readonly takesShards: boolean;
}

/** Stores that lie together, and move together. */
export interface ShardGroup {
  readonly number: number;
  /** The engine's name for it. */
  readonly id: string;
  readonly node: string;
  /** Null where the node does not answer. */
  readonly bytes: number | null;
  readonly stores: number | null;
}

export interface StorePlace {
  readonly storeId: string;
  readonly domain: string;
  readonly group: ShardGroup;
}

export interface MoveProgress {
  readonly from: string;
  readonly to: string;
  /** In the words of the engine. */
  readonly phase: string;
  readonly bytes: number;
  readonly ofBytes: number;
}

export interface MoveOptions {
  readonly onProgress: (progress: MoveProgress) => void;
  /** Aborted, it ends the move, which leaves the group where it is. */
  readonly signal: AbortSignal;
}

/** Moves that the database makes by itself, also after the command and after a restart of the database. */
export interface Balancing {
  readonly state: 'running' | 'finished' | 'failed' | 'cancelled';
  readonly done: number;
  readonly total: number;
  readonly moves: readonly MoveProgress[];
  /** Error of a failed move. The database tries it again. */
  readonly error: string | null;
}

/** Places of stores in a database over several servers. A refusal of the database is a StartFailure. */
export interface Shards {
  nodes(): Promise<readonly ShardNode[]>;
  /** Empty before the tables are distributed. */
  groups(): Promise<readonly ShardGroup[]>;
  /** By the id or the domain. Null before the tables are distributed. Throws an UnknownStore. */
  placeOf(store: string): Promise<StorePlace | null>;
  /** The stores of the group are read and written meanwhile. */
  move(group: ShardGroup, node: string, options: MoveOptions): Promise<void>;
  /** Begins the moves that give each node an equal share. False where they run already, or none is needed. */
  balance(): Promise<boolean>;
  /** The last moves of `balance`; null where there were none. */
  balancing(): Promise<Balancing | null>;
  /** Ends them. What was moved stays where it is. */
  stopBalancing(): Promise<void>;
  close(): Promise<void>;
}
