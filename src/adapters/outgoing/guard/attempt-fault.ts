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

/** Codes of Node.js for a certificate that it refuses. */
const CERTIFICATES: ReadonlyMap<string, AttemptError> = new Map<string, AttemptError>([
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['CERT_NOT_YET_VALID', 'certificate_not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_of_another_name'],
  ['CERT_UNTRUSTED', 'certificate_untrusted'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
]);

export const tlsErrorOf = (error: unknown): AttemptError => CERTIFICATES.get(String(codeOf(error))) ?? 'tls_failed';

/**
 * The class of an error that undici, TLS or the socket reported after the connection was open. A
 * TLS 1.3 server may refuse that late.
 */
export const attemptErrorOf = (error: Error): AttemptError => {
  if (error instanceof AttemptFault) return error.reason;
  if (isInvalidResponse(error)) return 'invalid_response';
  return /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(String(codeOf(error))) ? 'tls_failed' : 'connection_closed';
};
