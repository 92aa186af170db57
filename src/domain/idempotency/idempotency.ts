/**
 * What is known of a key when a request with it begins. `running`: a live runner has it. `abandoned`: begun, never finished, and nobody
 * runs it (its runner answered 5xx or died). `expired`: finished longer than the key's memory ago.
 */
export interface KeyRecord {
  readonly state: 'running' | 'abandoned' | 'finished' | 'expired';
  /** SHA-256 over method, path and raw body bytes, in hex. */
  readonly fingerprint: string;
  /** Whether the response's body was small enough to be kept. */
  readonly replayable: boolean;
}

/** `run`: the key is ours. `take-over`: it is free, but stands under another request: make it ours first. */
export type Beginning = 'run' | 'take-over' | 'wait' | 'replay' | 'mismatch' | 'unreplayable';

/** The key life cycle of app-api.md, "Idempotency key life cycle": what a request with the key does, as the record stands. */
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

export type Settlement = 'remember' | 'remember-without-body' | 'release';

/** What becomes of the key when its request ends with this status and body size in bytes. */
export const settle = (status: number, bytes: number, maxBytes: number): Settlement => {
  if (status >= 500) return 'release';
  return bytes > maxBytes ? 'remember-without-body' : 'remember';
};

/** A key as the header gives it, trimmed; null when it is blank, over 255 characters or outside 0x20-0x7E. */
export const parseKey = (header: string): string | null => {
  const key = header.trim();
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : null;
};
