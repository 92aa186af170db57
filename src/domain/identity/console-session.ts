/** A session of the console that nobody uses ends after this many seconds. */
export const SESSION_IDLE_SECONDS = 1_800;
/** A session that is used ends after this many seconds. */
export const SESSION_SECONDS = 28_800;
/**
 * A use is written down when it moves the end by more than this many seconds, which spares most
 * requests a write.
 */
export const SESSION_TOUCH_SECONDS = 60;
/** A login code that nobody uses ends after this many seconds. */
export const CODE_SECONDS = 600;
/** The most login codes of an operator that have not been used. A newer one ends the oldest. */
export const MAX_CODES = 10;

/** The most characters that are kept of the User-Agent of a session. */
export const MAX_AGENT = 200;

export interface SessionOrigin {
  readonly address: string | null;
  readonly agent: string | null;
}

/** A session of the merchant's console that has not ended. */
export interface ConsoleSession extends SessionOrigin {
  readonly id: string;
  /** Null for a session that the admin token started. */
  readonly operator: { readonly id: string; readonly name: string } | null;
  readonly startedAt: string;
  /** Unless it is used before that. */
  readonly expiresAt: string;
}
