/**
 * The record of a key when a request with it begins. `running`: another request runs. `abandoned`:
 * the request that ran answered 5xx or its process died. `expired`: the request finished, but its
 * response is remembered no longer.
 */
export interface KeyRecord {
  readonly state: 'running' | 'abandoned' | 'finished' | 'expired';
  /** SHA-256 over method, path and raw body bytes, in hex. */
  readonly fingerprint: string;
  readonly replayable: boolean;
}

/**
 * Next step for a request with a key. `take-over`: the key is free, but its record names another
 * request and must be reset first.
 */
export type Beginning = 'run' | 'take-over' | 'wait' | 'replay' | 'mismatch' | 'unreplayable';

/** Decides by the key's record (docs/specification/idempotency.md, "Life of a key"). */
export const begin = (record: KeyRecord, fingerprint: string): Beginning => {
  const same = record.fingerprint === fingerprint;
  switch (record.state) {
    case 'running':
      return same ? 'wait' : 'mismatch';
    case 'finished':
      if (!same) return 'mismatch';
      return record.replayable ? 'replay' : 'unreplayable';
    case 'abandoned':
      return same ? 'run' : 'take-over';
    case 'expired':
      return 'take-over';
  }
};

export type KeySettlement = 'remember' | 'remember-without-body' | 'release';

/**
 * Decides what happens to the key when its request ends with this status and body size in bytes.
 */
export const settleKey = (status: number, bytes: number, maxBytes: number): KeySettlement => {
  if (status >= 500) return 'release';
  return bytes > maxBytes ? 'remember-without-body' : 'remember';
};

/**
 * The trimmed key of a header. Null when it is blank, longer than 255 characters or not printable
 * ASCII.
 */
export const parseKey = (header: string): string | null => {
  const key = header.trim();
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : null;
};
