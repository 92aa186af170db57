import { z } from 'zod';

import type { Application } from '../../application/index.ts';
import type { BulkList } from '../../domain/catalogue/bulk-change.ts';
import type { Role } from '../../domain/identity/operator.ts';
import type { EnforcedScope } from '../../domain/identity/scope.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { RefusalCode, Result } from '../../domain/result.ts';
import type { Answer } from './answer.ts';
import type { Access, AnyHandler, Handler } from './handler.ts';
import { uuidField } from './kit/fields.ts';
import type { Declaration, ErrorShape, FormReader, Method, PageShape, Route } from './route-declaration.ts';
import { storeRuleOf, type StoreAccess } from './store-rule.ts';
import type { StreamBody } from './stream-body.ts';

/** The names that a path has after its colons. */
type NamesIn<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** Each is a UUID, in lower case. */
type ParamsOf<Path> = [NamesIn<Path>] extends [never] ? null : Readonly<Record<NamesIn<Path>, string>>;

/** The schema of the path's parameters. Null for a path without parameters. */
const paramsOf = (path: string): z.ZodType | null => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, uuidField]);
  return names.length === 0 ? null : z.object(Object.fromEntries(names) as z.ZodRawShape);
};

class Builder<A extends Access, P, Q, B, X, T, C extends RefusalCode> {
  constructor(private readonly declared: Declaration<A>) {}

  private with<P2 = P, Q2 = Q, B2 = B, X2 = X, T2 = T, C2 extends RefusalCode = C>(
    more: Partial<Declaration<A>>,
  ): Builder<A, P2, Q2, B2, X2, T2, C2> {
    return new Builder({ ...this.declared, ...more });
  }

  summary(summary: string, description = '') {
    return this.with({ summary, description });
  }
  /** In place of a UUID for each of the path's parameters. What does not fit is `not_found`: no such resource can exist. */
  params<S extends z.ZodType>(schema: S) {
    return this.with<z.output<S>>({ params: schema });
  }
  /** Works like `params`, but a path whose parameters do not fit is unknown for every method. */
  strictParams<S extends z.ZodType>(schema: S) {
    return this.with<z.output<S>>({ params: schema, strictPath: true });
  }
  /**
   * The query's parameters; each is a string, or an array where it is repeated. What does not fit
   * is `invalid`.
   */
  query<S extends z.ZodType>(schema: S) {
    return this.with<P, z.output<S>>({ query: schema });
  }
  /** A JSON body. What does not fit is `invalid`, with the first faults named. */
  body<S extends z.ZodType>(schema: S) {
    return this.with<P, Q, z.output<S>>({ body: schema });
  }
  form<T>(schema: z.ZodType, read: FormReader<T>) {
    return this.with<P, Q, T>({ body: schema, bodyType: 'application/x-www-form-urlencoded', form: read });
  }
  streams(...contentTypes: string[]) {
    return this.with<P, Q, StreamBody>({ streams: contentTypes });
  }
  /**
   * Needs an Idempotency-Key; the handler works in the transaction that it is given. A refusal must
   * come before it writes. Who sends no key also reads the sentence `needsToo`.
   */
  idempotent(needsToo: string | null = null) {
    return this.with<P, Q, B, TransactionPorts>({ idempotent: true, needsToo });
  }
  bulk(bulk: BulkList) {
    return this.with({ bulk });
  }
  /**
   * The version of what it reads, which the path's `id` names, is looked up with the token. So a
   * kept document needs no statement of its own.
   */
  looksUp(what: 'product' | 'collection') {
    return this.with({ looksUp: what });
  }
  /** A read carries an ETag, and is answered 304 if If-None-Match has it. A write takes it as If-Match. */
  etag() {
    return this.with({ etag: true });
  }
  ranges() {
    return this.with({ ranges: true });
  }
  /** Reads the state that the route changes, for the audit log before and after. */
  audits(read: (application: Application, params: P, body: B) => Promise<Result<unknown, RefusalCode>>) {
    return this.with({ audits: read as Declaration['audits'] });
  }
  /** The change has a record of its own, and machines ask for it too often for the audit log. */
  notAudited() {
    return this.with({ isAudited: false });
  }
  /** The requests that change nothing, and so are not in the audit log. */
  tries(isTrial: (query: Q) => boolean) {
    return this.with({ isTrial: isTrial as Declaration['isTrial'] });
  }
  returns<S extends z.ZodType>(status: number, schema: S, contentType = 'application/json') {
    return this.with<P, Q, B, X, Answer<z.input<S>>>({ status, response: schema, responseType: contentType });
  }
  orReturns(status: number, meaning: string) {
    return this.with({ otherStatus: { status, meaning } });
  }
  returnsNothing(status = 204) {
    return this.with<P, Q, B, X, null>({ status, response: null });
  }
  /** Events are sent to the address that this field of the body has. */
  sendsTo(field: string & keyof B) {
    return this.with({ callback: `{$request.body#/${field}}` });
  }
  /**
   * The refusals its use case can answer; an undeclared one does not compile. Those of every route
   * (401, 403, 413, 415, 429) need no mention.
   */
  refuses<R extends RefusalCode>(...codes: R[]) {
    return this.with<P, Q, B, X, T, C | R>({ refusals: [...this.declared.refusals, ...codes] });
  }
  errors(errors: Exclude<ErrorShape, PageShape>) {
    return this.with({ errors });
  }
  example(examples: Declaration['examples']) {
    return this.with({ examples });
  }
  handle(handler: Handler<A, P, Q, B, X, T, C>): Route {
    return { ...this.declared, handler: handler as unknown as AnyHandler };
  }
}

type Opened = 'method' | 'operationId' | 'access' | 'errors' | 'tag';
type Opening<A extends Access, Path extends string> = Pick<Declaration<A>, Opened> & { readonly path: Path };

const start = <A extends Access, Path extends string>(opened: Opening<A, Path>) =>
  new Builder<A, ParamsOf<Path>, null, null, null, null, never>({
    ...opened,
    params: paramsOf(opened.path),
    summary: '',
    description: '',
    strictPath: false,
    query: null,
    body: null,
    bodyType: 'application/json',
    form: null,
    streams: [],
    idempotent: false,
    needsToo: null,
    bulk: null,
    looksUp: null,
    etag: false,
    ranges: false,
    isTrial: null,
    isAudited: opened.access.kind === 'admin' && opened.method !== 'get',
    audits: null,
    status: 200,
    otherStatus: null,
    response: null,
    responseType: 'application/json',
    callback: null,
    refusals: [],
    examples: {},
  });

interface AdminAccess {
  readonly needs?: Role;
  /** Without it, the path says which store it is about, or all stores are needed. */
  readonly stores?: StoreAccess | null;
}

/** The callers come first, with the tag of the document. Without them a route has no handler. */
const opening =
  (method: Method) =>
  <const Path extends string>(path: Path, operationId: string) => ({
    scope: (scope: EnforcedScope, tag = '') =>
      start({ method, path, operationId, access: { kind: 'app', scopes: [scope] }, errors: 'plain', tag }),
    oneOfScopes: (scopes: readonly EnforcedScope[], tag = '') =>
      start({ method, path, operationId, access: { kind: 'app', scopes }, errors: 'plain', tag }),
    anyScope: (tag = '') => start({ method, path, operationId, access: { kind: 'app', scopes: [] }, errors: 'plain', tag }),
    /** Reading needs a viewer, and anything else an operator, where the route does not say more. */
    admin: (tag = '', { needs = method === 'get' ? 'viewer' : 'operator', stores = null }: AdminAccess = {}) => {
      const access = { kind: 'admin', needs, stores, rule: storeRuleOf(path, stores) } as const;
      return start({ method, path, operationId, access, errors: 'problem', tag });
    },
    client: (tag = '') => start({ method, path, operationId, access: { kind: 'client' }, errors: 'credentials', tag }),
    /** For the browser of a person who followed a link to a store. Nobody else is sent to another page. */
    visitor: (tag = '') => start({ method, path, operationId, access: { kind: 'visitor' }, errors: 'page or plain', tag }),
    /** With the credentials of a platform app, on any host. */
    developer: (tag = '') => start({ method, path, operationId, access: { kind: 'developer' }, errors: 'credentials', tag }),
    public: (tag = '') => start({ method, path, operationId, access: { kind: 'public' }, errors: 'plain', tag }),
  });

export const route = {
  get: opening('get'),
  post: opening('post'),
  put: opening('put'),
  patch: opening('patch'),
  delete: opening('delete'),
};
