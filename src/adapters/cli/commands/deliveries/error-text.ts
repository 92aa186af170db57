import type { Delivery } from '../../../http/answers.ts';

/** Reason for the last failure: the status itself, where the receiver answered. */
export const errorText = (error: Delivery['error'], status: number | null): string =>
  error?.startsWith('http_') === true && status !== null ? `http ${String(status)}` : (error ?? '');
