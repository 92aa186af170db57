import type { Traceparent } from './trace.ts';

/** The request that a transaction is for, also when it runs long after the answer. Null where none is known. */
export type Cause = {
  readonly requestId: string | null;
  /** Absent where the request belongs to no trace. */
  readonly traceparent?: Traceparent | null | undefined;
} | null;
