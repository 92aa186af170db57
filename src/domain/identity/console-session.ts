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
