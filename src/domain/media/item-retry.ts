/** The seconds after each time that the host was asked (docs/specification/media.md, "Retries"). */
const WAITS: readonly number[] = [5, 30, 120, 600];

/** Bounds the time that a host keeps an import open, with the number of waits. */
export const MAX_RETRY_AFTER_SECONDS = 900;

/** The most times that a host is asked for an image. */
export const MAX_ASKED = 5;

/** The seconds until the host is asked again. `asked` counts how often it was asked. Null when it is not asked again. */
export const retryWait = (asked: number, retryAfterSeconds: number | null): number | null => {
  const wait = WAITS[asked - 1];
  return wait === undefined || asked >= MAX_ASKED
    ? null
    : Math.max(wait, Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS));
};

/** Why an item failed whose host kept failing. `reason` is the last one. */
export const askedTooOften = (reason: string): string => `${reason} The host was asked ${String(MAX_ASKED)} times.`;
