import type { TransactionPorts } from '../../../domain/ports/index.ts';
import type { Outcome } from '../handler.ts';
import type { Admitted } from './admit.ts';
import { answerOnce } from './answer-once.ts';
import { readBody } from './body.ts';
import type { RequestContext } from './context.ts';
import { encode, errorReply } from './encode.ts';
import type { Reply } from './encode.ts';
import { parse } from './parse.ts';
import { send } from './send.ts';

/** Parses the input and calls the handler with it; `tx` is null where the route takes no idempotency key. */
const handle = (
  context: RequestContext,
  { caller }: Admitted,
  bytes: Buffer,
  tx: TransactionPorts | null,
): Outcome | Promise<Outcome> => {
  const parsed = parse(context, bytes);
  if (!parsed.ok) return parsed;
  const { params, query, body } = parsed.value;
  return context.route.handler(context.application, { caller, params, query, body, tx, context });
};

/**
 * The whole way of a request: admit, read, (parse, handle, encode), send. What stands in brackets runs in the
 * transaction that remembers the response, where the route takes an idempotency key.
 */
export const serve = async (context: RequestContext): Promise<void> => {
  const admitted = await context.backend.admit(context);
  if (admitted === null) return;
  const body = await readBody(context);
  if (!body.ok) {
    await send(context, errorReply(context, body));
    return;
  }
  const answer = async (tx: TransactionPorts | null): Promise<Reply> =>
    encode(context, await handle(context, admitted, body.value, tx));
  const { key } = admitted;
  await send(context, key === null ? await answer(null) : await answerOnce(context, { key, bytes: body.value }, answer));
};
