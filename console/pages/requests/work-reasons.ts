import type { Words } from './words.ts';

/** By the code, where it has one meaning wherever it is. */
export const WORK_REASONS: Readonly<Record<string, Words>> = {
  replay: {
    name: 'Earlier refusal again',
    why: 'The Idempotency-Key belongs to a request that was refused. The same response was sent again.',
    help: 'Correct the request, then send it with a new Idempotency-Key.',
  },
  idempotency_in_progress: {
    name: 'Still running',
    why: 'A request with the same Idempotency-Key was still running.',
    help: 'Send it again after the seconds in Retry-After. Then you get the response of the first request.',
  },
  idempotency_key_reused: {
    name: 'Key of another request',
    why: 'The Idempotency-Key was used for a different request: the method, the path or a byte of the body differs.',
    help: 'Make a new key for each piece of work. Send a retry with exactly the bytes of the first request.',
  },
  idempotency_not_replayable: {
    name: 'Response not kept',
    why: 'The work of this Idempotency-Key is done. Its response was too large to keep.',
    help: 'Do not retry. Read what was written, for example with GET /apps/catalog/products. Smaller batches have responses that are kept.',
  },
  unsupported_media_type: {
    name: 'Wrong content type',
    why: 'The Content-Type is not one that the route takes, or the body was compressed.',
    help: 'Send “Content-Type: application/json” and a body without Content-Encoding.',
  },
  payload_too_large: {
    name: 'Body too large',
    why: 'The body has more bytes than the route takes.',
    help: 'Send it in smaller parts. BULK_MAX_BODY_BYTES sets the limit of bulk updates.',
  },
  cursor_expired: {
    name: 'Cursor has expired',
    why: 'The events behind the cursor are no longer kept, so some may be missing.',
    help: 'Continue with after=oldest, and read again what the app keeps of the store.',
  },
  conflict: {
    name: 'Conflict',
    why: 'The subscription is removed or deactivated, or may not receive the type of the event.',
    help: 'Subscribe again, then send the event again. The app also needs the scope of the type.',
  },
  unavailable: {
    name: 'Unavailable for a moment',
    why: 'PostgreSQL, Redis or the media storage could not be reached, or a search took too long.',
    help: 'Send it again with the same Idempotency-Key after the seconds in Retry-After. If it lasts, look at GET /ready and the log of the server.',
  },
  internal_error: {
    name: 'Error in Tenon',
    why: 'The server failed. This should not happen.',
    help: 'Find the cause in the log of the server by the id of this request. A retry with the same Idempotency-Key is safe.',
  },
};
