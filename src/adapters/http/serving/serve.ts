import type { IRouter, RequestHandler } from 'express';
import type { z } from 'zod';

import type { Actor } from '../../../domain/identity/operator.ts';
import type { TransactionPorts } from '../../../domain/ports/index.ts';
import type { Outcome } from '../handler.ts';
import type { Route } from '../route-declaration.ts';
import { answerOnce, type KeyedBody } from './answer-once.ts';
import { readBody } from './input/body.ts';
import { RequestContext, type Admitted, type Backend } from './context.ts';
import { ignoredCondition } from './reply/entity-tags.ts';
import { errorReply, type Reply } from './reply/error-reply.ts';
import { judge } from './input/judge.ts';
import { otherMethods } from './reply/methods.ts';
import { parse, type Parsed } from './input/parse.ts';
import { refusedAt } from './reply/refusals.ts';
import { encode, send } from './reply/respond.ts';

type ParseInput = () => ReturnType<typeof parse>;

/** Once for each request: a large body takes long, and a transaction may run again. */
const parsingOnce = (context: RequestContext, bytes: Buffer): ParseInput => {
  let parsed: ReturnType<typeof parse> | undefined;
  return () => (parsed ??= parse(context, bytes));
};

/**
 * Parses the input and calls the handler with it; `tx` is null where the route takes no idempotency
 * key.
 */
const handle = (
  context: RequestContext,
  { caller, actor, domain, platformApp }: Admitted,
  input: ParseInput,
  tx: TransactionPorts | null,
): Outcome | Promise<Outcome> => {
  const parsed = input();
  if (!parsed.ok) return parsed;
  const { params, query, body } = parsed.value;
  context.check = 'work';
  const given = { caller, actor, domain, platformApp, params, query, body, tx, cause: context.notes, context };
  const run = (): Promise<Outcome> => context.route.handler(context.application, given);
  return tx === null ? audited(context, actor, parsed.value, run) : run();
};

/**
 * Runs what may change something, with its entries in the audit log. Under a key, they are around
 * the transaction: they use connections of their own, and what was done is seen after it.
 */
const audited = <T extends Outcome | Reply>(
  context: RequestContext,
  actor: Actor | null,
  { params, query, body }: Parsed,
  run: () => Promise<T>,
): Promise<T> => {
  const { route, backend } = context;
  const isAudited = route.isAudited && route.isTrial?.(query) !== true;
  return backend.audit && actor !== null && isAudited ? backend.audit.around(context, actor, { params, body }, run) : run();
};

/** The answer to a request with a key. What cannot be parsed changes nothing. */
const answerUnderKey = (
  context: RequestContext,
  { actor }: Admitted,
  keyed: KeyedBody,
  { input, answer }: { readonly input: ParseInput; readonly answer: (tx: TransactionPorts) => Promise<Reply> },
): Promise<Reply> => {
  const run = (): Promise<Reply> => answerOnce(context, keyed, answer);
  const parsed = actor === null ? null : input();
  return parsed?.ok === true ? audited(context, actor, parsed.value, run) : run();
};

/**
 * The whole way of a request: admit, read, (parse, handle, encode), send. Where the route takes an
 * idempotency key, the steps in brackets run in the transaction that remembers the response.
 */
const serve = async (context: RequestContext): Promise<void> => {
  const admitted = await context.backend.admit(context);
  if (admitted === null) return;
  const ignored = ignoredCondition(context.route, context.request.headers);
  if (ignored !== null) {
    await send(context, errorReply(context, refusedAt('schema', ignored)));
    return;
  }
  context.check = 'body';
  const body = await readBody(context);
  if (!body.ok) {
    await send(context, errorReply(context, refusedAt('body', body)));
    return;
  }
  const input = parsingOnce(context, body.value);
  const answer = async (tx: TransactionPorts | null): Promise<Reply> =>
    encode(context, await handle(context, admitted, input, tx));
  const { key } = admitted;
  const keyed = key && { key, bytes: body.value };
  const run = (): Promise<Reply> => (keyed === null ? answer(null) : answerUnderKey(context, admitted, keyed, { input, answer }));
  await send(context, await context.backend.budget.around(context, admitted, input, run));
};

/** Lets pass only a path whose parameters fit. Another path is unknown for every method. */
const onlyFitting =
  (params: z.ZodType): RequestHandler =>
  (request, _response, next) => {
    if (judge(params, { value: request.params }).ok) next();
    else next('route');
  };

/**
 * Mounts the routes, each path once: methods that the path does not have are refused there, and a
 * literal path is never taken for a parameter of a later one. A path that no route matches falls
 * through.
 */
export const mount = (router: IRouter, routes: readonly Route[], backend: Backend): void => {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const mounted = router.route(path);
    const strict = own.find((route) => route.strictPath)?.params;
    if (strict) mounted.all(onlyFitting(strict));
    for (const route of own) {
      const name = `${route.method.toUpperCase()} ${path}`;
      mounted[route.method]((request, response, next) => {
        const context = new RequestContext(route, backend, request, response);
        context.notes.route = name;
        // The client sets the pace of a body that is read as a stream.
        if (route.streams.length > 0) context.mayTake(Infinity);
        const { open } = response.locals;
        open.beginHandler();
        serve(context).then(
          () => open.endPart(),
          (error: unknown) => {
            open.endPart();
            if (context.isLogged) response.locals.check = context.check;
            next(error);
          },
        );
      });
    }
    const methods = own.map((route) => route.method.toUpperCase());
    mounted.all(otherMethods(methods, own[0]?.errors ?? 'plain'));
  }
};
