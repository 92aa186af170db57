import pg from 'pg';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';

interface CodedError extends Error {
  readonly code?: unknown;
  /** The constraint that a row violates. */
  readonly constraint?: unknown;
  /** Prisma keeps PostgreSQL's code here. */
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** PostgreSQL cancelled a statement that ran into its timeout. */
const QUERY_CANCELED = '57014';
const FOREIGN_KEY_VIOLATION = '23503';
/** A worker of Citus names the constraint in its message alone, with the number of the shard. */
const OWNER_KEY = /_(?:store_id|installation_id)_fkey(?:_\d+"|$)/;

/**
 * Codes of PostgreSQL: connection failures (class 08), a server that stops (57P), too few resources
 * (53), a statement, a lock or an idle transaction that ran into its timeout (57014, 55P03, 25P03), and a server
 * that takes no writes, as after a failover (25006). The others are of the socket, of the name
 * service and of Prisma.
 */
const UNAVAILABLE = /^(08|57P|57014|55P03|53|25P03|25006)|^E(CONN|PIPE|NOENT|TIMEDOUT|NOTFOUND|AI_|HOST|NET|ADDRNOTAVAIL)|^P1/;
/** The driver reports these without a code. */
const CONNECTION_LOST = /timeout expired|timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** True when PostgreSQL, the socket or Prisma gave the error such a code. */
export const hasCode = (error: Error, pattern: RegExp): boolean => {
  const { code, meta }: CodedError = error;
  return [code, meta?.driverAdapterError?.cause?.originalCode].some((text) => pattern.test(String(text)));
};

/**
 * The store or the app for which a row is written is gone, though the request was admitted for it: a failover lost it meanwhile, or it was
 * erased. The next request is not admitted.
 */
const isOwnerGone = ({ code, constraint, message }: CodedError): boolean =>
  code === FOREIGN_KEY_VIOLATION && [constraint, message].some((text) => OWNER_KEY.test(String(text)));

const isOutage = (error: Error): boolean =>
  hasCode(error, UNAVAILABLE) || CONNECTION_LOST.test(error.message) || isOwnerGone(error);

/**
 * The error to throw in place of the driver's: DatabaseUnavailable for an outage, otherwise the
 * error itself.
 */
export const portError = (error: unknown): unknown =>
  error instanceof Error && isOutage(error) ? new DatabaseUnavailable('The database is unavailable', { cause: error }) : error;

export const isTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.cause instanceof pg.DatabaseError && error.cause.code === QUERY_CANCELED;
