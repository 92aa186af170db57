import { plural } from '../values/plural.ts';

/** Bounds the time that a host keeps an import open, with the number of waits. */
export const MAX_RETRY_AFTER_SECONDS = 900;

/**
 * The seconds until the host is asked again (docs/specification/media.md, "Retries"). `asked` counts how often it was asked. Null when
 * it is not asked again.
 */
export const retryWait = (asked: number, retryAfterSeconds: number | null, waits: readonly number[]): number | null => {
  const wait = waits[asked - 1];
  return wait === undefined ? null : Math.max(wait, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS));
};

/** Message for an item whose host kept failing. `reason` is the last one. */
export const askedTooOften = (reason: string, asked: number): string => `${reason} The host was asked ${plural(asked, 'time')}.`;
