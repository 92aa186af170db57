import type { IRouter, RequestHandler } from 'express';
import type { z } from 'zod';

import type { TransactionPorts } from '../../../domain/ports/index.ts';
import type { Outcome } from '../handler.ts';
import type { Route } from '../route-declaration.ts';
import { answerOnce } from './answer-once.ts';
import { readBody } from './input/body.ts';
import { RequestContext, type Admitted, type Backend } from './context.ts';
import { errorReply, type Reply } from './reply/error-reply.ts';
import { judge } from './input/judge.ts';
import { otherMethods } from './reply/methods.ts';
import { parse } from './input/parse.ts';
import { at } from './reply/refusals.ts';
import { encode, send } from './reply/respond.ts';

/**
 * Parses the input and calls the handler with it; `tx` is null where the route takes no idempotency
 * key.
 */
const handle = (
  context: RequestContext,
  { caller, actor, domain }: Admitted,
  bytes: Buffer,
  tx: TransactionPorts | null,
): Outcome | Promise<Outcome> => {
  const parsed = parse(context, bytes);
  if (!parsed.ok) return parsed;
  const { params, query, body } = parsed.value;
  context.check = 'work';
  const { audit } = context.backend;
  const { route } = context;
  const given = { caller, actor, domain, params, query, body, tx, cause: context.notes, context };
  const run = (): Promise<Outcome> => route.handler(context.application, given);
  const isAudited = route.isAudited && route.isTrial?.(query) !== true;
  return audit && actor !== null && isAudited ? audit.around(context, actor, { params, body }, run) : run();
};

/**
 * The whole way of a request: admit, read, (parse, handle, encode), send. Where the route takes an
 * idempotency key, the steps in brackets run in the transaction that remembers the response.
 */
const serve = async (context: RequestContext): Promise<void> => {
  const admitted = await context.backend.admit(context);
  if (admitted === null) return;
  context.check = 'body';
  const body = await readBody(context);
  if (!body.ok) {
    await send(context, errorReply(context, at('body', body)));
    return;
  }
  const answer = async (tx: TransactionPorts | null): Promise<Reply> =>
    encode(context, await handle(context, admitted, body.value, tx));
  const { key } = admitted;
  await send(context, key === null ? await answer(null) : await answerOnce(context, { key, bytes: body.value }, answer));
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
