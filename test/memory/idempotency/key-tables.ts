import type { KeyScope, RememberedResponse } from '../../../src/domain/ports/idempotency/idempotency-repository.ts';
import { installationsOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';

/** Times in milliseconds. */
export interface KeyRow {
  readonly fingerprint: string;
  readonly response: RememberedResponse | null;
  /** The beginning's time, then the end's. */
  readonly since: number;
  readonly firstAt: number;
  readonly requestId: string | null;
}

export const keyIdOf = ({ storeId, installationId, key }: KeyScope): string => `${storeId} ${String(installationId)} ${key}`;

export const keysOf = (state: MemoryState): Map<string, KeyRow> => table<KeyRow>(state, 'idempotency');

/** An uninstall leaves the keys to the purge, and from then on they are not known. */
export const isInstalled = (state: MemoryState, { installationId }: Pick<KeyScope, 'installationId'>): boolean =>
  installationId === null || installationsOf(state).get(installationId)?.status !== 'Uninstalled';
