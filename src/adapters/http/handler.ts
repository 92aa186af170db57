import type { Readable } from 'node:stream';

import type { Application } from '../../application/index.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { EnforcedScope } from '../../domain/identity/scope.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import type { Refusal, RefusalCode } from '../../domain/result.ts';
import type { Success } from './answer.ts';

/** Who may call: an app with the scope, the admin with its token, or anyone. */
export type Access = { kind: 'app'; scope: EnforcedScope } | { kind: 'admin' } | { kind: 'public' };

/** What a handler may use of its request beside the input. */
export interface HandlerContext {
  /** Logs the progress of a long request, on a line with its id. */
  progress(figures: object, message: string): void;
}

/** What a handler gets. `caller` is set on app routes, `tx` on idempotent ones: the transaction that remembers the response. */
export interface Input<A extends Access, P, Q, B, X> {
  readonly caller: A extends { kind: 'app' } ? Caller : null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tx: X;
  readonly context: HandlerContext;
}

export interface StreamBody {
  readonly contentType: string;
  /** The parameter of Content-Type, as it was sent. */
  readonly charset: string | undefined;
  readonly stream: Readable;
}

export type Handler<A extends Access, P, Q, B, X, T, C extends RefusalCode> = (
  application: Application,
  input: Input<A, P, Q, B, X>,
) => Promise<Success<T> | Refusal<C>>;

/** What a handler answered, of whichever route. */
export type Outcome = Success<unknown> | Refusal;

/** The handler of a route whose types are no longer known. Its input is what the schemas of the route made. */
export type AnyHandler = (
  application: Application,
  input: {
    readonly caller: Caller | null;
    readonly params: unknown;
    readonly query: unknown;
    readonly body: unknown;
    readonly tx: TransactionPorts | null;
    readonly context: HandlerContext;
  },
) => Promise<Outcome>;
