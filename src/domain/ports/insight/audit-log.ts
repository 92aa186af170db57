import type { RefusalFigures } from '../../insight/audit-refusal.ts';

export interface NewAuditEntry {
  readonly id: string;
  /** NO_STORE for what belongs to none. */
  readonly storeId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Null for the holder of the admin token. */
  readonly operatorId: string | null;
  /** The id of the entry whose outcome this is; null for what is asked for. */
  readonly answers: string | null;
  /** JSON. */
  readonly content: string;
}

export interface AuditRecord extends Omit<NewAuditEntry, 'answers'> {
  readonly number: number;
  /** In hex. */
  readonly hash: string;
  /** Null where no outcome was recorded: the server was stopped before. */
  readonly answer: { readonly at: string; readonly content: string } | null;
}

export interface AuditFilter {
  readonly storeId?: string | undefined;
  readonly operatorId?: string | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  /** Only what was refused (REFUSAL_PREFIX). */
  readonly isRefused?: boolean | undefined;
}

export interface AuditLog {
  /**
   * Appends the entry to the chain of its store. Each entry has the next number of its store. Its
   * hash is the SHA-256 of the hash before it and of the entry. Concurrent entries of a store follow
   * one after the other.
   */
  append(entry: NewAuditEntry): Promise<void>;
  /**
   * Returns what was asked for, newest first, each with its answer. Returns only what matches every
   * filter. Returns at most `take` after the entry `after`, and the id to continue after, or null at
   * the end.
   */
  list(
    filter: AuditFilter,
    from: { readonly after: string | null; readonly take: number },
  ): Promise<{ readonly items: readonly AuditRecord[]; readonly next: string | null }>;
  /**
   * Adds to the figures of this kind of refusals in the hour, and returns them. Begins at zero in a later hour. Adds what is of an
   * earlier hour to the present one. Counts concurrent additions exactly.
   */
  countRefused(kind: string, hour: string, added: RefusalFigures): Promise<RefusalFigures>;
  /** Deletes at most `limit` entries that are older than this many days, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
}
