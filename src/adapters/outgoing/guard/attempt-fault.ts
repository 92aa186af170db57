import type { AttemptError } from '../../../domain/webhooks/delivery.ts';
import { codeOf } from '../../../domain/values/error.ts';

export class AttemptFault extends Error {
  readonly reason: AttemptError;
  constructor(reason: AttemptError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * The errors of undici for a response that is not valid HTTP/1.1: from its parser, for a head that
 * is too large, and for 101 and 100, which it does not accept.
 */
const isInvalidResponse = (error: Error): boolean => {
  // A stream that ends in the middle of a message is a closed connection, not an invalid message.
  if (error.name === 'HTTPParserError') return !error.message.includes('EOF');
  return codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW' || /^bad (response|upgrade)$/.test(error.message);
};

/**
 * The class of an error that undici, TLS or the socket reported after the connection was open. A
 * TLS 1.3 server may refuse that late.
 */
export const attemptErrorOf = (error: Error): AttemptError => {
  if (error instanceof AttemptFault) return error.reason;
  if (isInvalidResponse(error)) return 'invalid_response';
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(String(codeOf(error))) ? 'tls_failed' : 'connection_closed';
};
