export type NoticeChannel = 'webhook' | 'slack' | 'mail';

export const NOTICE_PHASES = ['begin', 'end'] as const;
export type NoticePhase = (typeof NOTICE_PHASES)[number];

/** Incidents that begin together share a message, after this wait. */
export const GATHER_SECONDS = 10;
/** A channel gets at most one message in this time, also when messages fail. */
export const BETWEEN_SECONDS = 60;
/** The wait after a message that failed: doubled by each, between these bounds. */
export const RETRY_SECONDS = { least: 60, most: 3_600 } as const;
/** A notice that could not be sent in this time is dropped. */
export const SEND_FOR_HOURS = 24;
