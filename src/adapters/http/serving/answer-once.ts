import { hash } from 'node:crypto';

import {
  answerKnown,
  type OnceResult,
  type Response as StoredResponse,
} from '../../../application/idempotency/run-idempotently.ts';
import { useOf } from '../../../domain/idempotency/key-use.ts';
import type { TransactionPorts } from '../../../domain/ports/index.ts';
import type { IdempotencyKey, RequestContext } from './context.ts';
import { errorReply, NO_BODY, type Reply } from './reply/error-reply.ts';
import { refusedAt } from './reply/refusals.ts';

/**
 * SHA-256 over method, path and raw body bytes, in hex. A method holds no space and a path no line
 * break, so these separate them.
 */
const fingerprintOf = (method: string, path: string, body: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${method} ${path}\n`), body]), 'hex');

/** Under both names that clients look for. */
const REPLAYED = { 'Idempotent-Replay': 'true', 'Idempotent-Replayed': 'true' };

export interface KeyedBody {
  readonly key: IdempotencyKey;
  readonly bytes: Buffer;
}

/** Answers a request at most once for its key, and then as docs/specification/idempotency.md, "Life of a key" says. */
export const answerOnce = async (
  context: RequestContext,
  { key, bytes }: KeyedBody,
  answer: (tx: TransactionPorts) => Promise<Reply>,
): Promise<Reply> => {
  const { request, notes } = context;
  context.check = 'claim';
  const fingerprint = fingerprintOf(request.method, request.baseUrl + request.path, bytes);
  // `encode` refuses a stream on an idempotent route, so the reply has bytes.
  const work = answer as (tx: TransactionPorts) => Promise<StoredResponse>;
  const finished: OnceResult | null = key.known && answerKnown(key.known, fingerprint);
  const result = finished ?? (await context.application.runIdempotently({ cause: notes, scope: key.scope, fingerprint }, work));
  const use = useOf(result);
  const { installationId } = key.scope;
  if (use && installationId !== null) context.backend.onKeyUse?.({ ...key.scope, installationId }, use);
  if (!result.ok) return errorReply(context, refusedAt('claim', result));
  const { isReplay, response } = result.value;
  const { status, headers, body } = response;
  // The reason of the first refusal is not remembered.
  if (isReplay && status >= 400) context.refused({ code: null, check: 'claim', reason: 'replay' });
  return { status, headers: isReplay ? { ...headers, ...REPLAYED } : headers, body: body ?? NO_BODY };
};
