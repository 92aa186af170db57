import type { AttemptError } from '../../domain/webhooks/delivery.ts';

/** Why an attempt ended before its response did. */
export class AttemptFault extends Error {
  readonly reason: AttemptError;
  constructor(reason: AttemptError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** What undici says of a response that is no HTTP/1.1: its parser's word, a head too large, and 101 and 100, which it does not take. */
const isInvalidResponse = (error: Error): boolean => {
  // The end of the stream in the middle of a message is no fault of its form.
  if (error.name === 'HTTPParserError') return !error.message.includes('EOF');
  return codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW' || /^bad (response|upgrade)$/.test(error.message);
};

/** The class of what undici, TLS or the socket reported once the connection was there. A TLS 1.3 server may refuse that late. */
export const reasonOf = (error: Error): AttemptError => {
  if (error instanceof AttemptFault) return error.reason;
  if (isInvalidResponse(error)) return 'invalid_response';
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(codeOf(error)) ? 'tls_failed' : 'connection_closed';
};
