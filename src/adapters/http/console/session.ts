import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';

import type { Result } from '../../../domain/result.ts';
import { checkContentType, JSON_ONLY, readBytes } from '../serving/input/body.ts';
import { judge } from '../serving/input/judge.ts';
import { parseJson } from '../serving/input/json.ts';
import { otherMethods } from '../serving/reply/methods.ts';
import type { RouteError } from '../serving/reply/refusals.ts';
import { sendError } from '../serving/reply/send-error.ts';
import type { SessionCookie } from './cookie.ts';

export interface Desk {
  readonly proof: z.ZodType;
  signIn(request: Request, response: Response, proof: unknown): Promise<Result<string> | RefusedProof>;
  describe(request: Request, session: string | null): Promise<{ readonly ok: boolean }>;
  signOut(request: Request, session: string): Promise<void>;
  /** The page calls `POST <path>/<way>` before it signs in that way. */
  readonly begin?: Readonly<Record<string, Begin>>;
}

type Begun = Result<object> | RefusedProof;
type Begin = (request: Request, response: Response) => Begun | Promise<Begun>;

export type RefusedProof = RouteError & { readonly ok: false };

/** A token and a code are far smaller. */
const MAX_BODY_BYTES = 16_384;

export const readProof = async <S extends z.ZodType>(
  request: Request,
  schema: S,
): Promise<Result<z.output<S>> | RefusedProof> => {
  const refusal = checkContentType(request, JSON_ONLY);
  if (refusal) return refusal;
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (!bytes.ok) return bytes;
  const json = parseJson(bytes.value);
  return json.ok ? judge(schema, json) : json;
};

const refuseTo = (request: Request, response: Response, refusal: RouteError): void => {
  if (refusal.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  sendError(request, response, 'problem', refusal);
};

/**
 * The session of a console: POST signs in, GET says whether somebody is signed in, DELETE signs
 * out. The session itself is only in the cookie, which no script can read. A way to sign in that takes two
 * steps has a path of its own for the first.
 */
export const sessionRouter = (path: string, cookie: SessionCookie, desk: Desk): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  const noted =
    (handle: (request: Request, response: Response) => Promise<void>, at = path): RequestHandler =>
    (request, response) => {
      response.locals.notes.route = `${request.method} ${at}`;
      return handle(request, response);
    };
  const signIn = async (request: Request, response: Response): Promise<void> => {
    const proof = await readProof(request, desk.proof);
    const signedIn = proof.ok ? await desk.signIn(request, response, proof.value) : proof;
    if (signedIn.ok) {
      cookie.set(request, response, signedIn.value);
      response.json({ ok: true });
      return;
    }
    refuseTo(request, response, signedIn);
  };
  const signOut = async (request: Request, response: Response): Promise<void> => {
    const session = cookie.read(request);
    if (session !== null) await desk.signOut(request, session);
    cookie.clear(request, response);
    response.status(204).end();
  };
  router
    .route(path)
    .get(noted(async (request, response) => void response.json(await desk.describe(request, cookie.read(request)))))
    .post(noted(signIn))
    .delete(noted(signOut))
    .all(otherMethods(['GET', 'POST', 'DELETE'], 'problem'));
  for (const [way, begin] of Object.entries(desk.begin ?? {})) {
    const at = `${path}/${way}`;
    const answer = async (request: Request, response: Response): Promise<void> => {
      const begun = await begin(request, response);
      if (begun.ok) response.json(begun.value);
      else refuseTo(request, response, begun);
    };
    router
      .route(at)
      .post(noted(answer, at))
      .all(otherMethods(['POST'], 'problem'));
  }
  return router;
};
