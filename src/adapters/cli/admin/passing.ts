import { CommandFailure, EXIT } from '../failure.ts';
import { ApiFailure } from './admin-api.ts';

/** A server that restarts, or a proxy before it: neither is the end of what reads on. */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof ApiFailure) return error.httpStatus === 429 || error.httpStatus >= 500;
  return !(error instanceof CommandFailure) || error.status === EXIT.unreachable;
};
