import type { z } from 'zod';

import type { Application } from '../../application/index.ts';
import type { BulkList } from '../../domain/catalogue/bulk-change.ts';
import type { RefusalCode, Result } from '../../domain/result.ts';
import type { Access, AnyHandler } from './handler.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Form of a route's errors: `{error, code}`; problem+json; as `{error, code}`, but an empty 401 for
 * anything wrong with the credentials or with the form that holds them; or a page for a browser,
 * and one of the first two for anything else.
 */
export type ErrorShape = 'plain' | 'problem' | 'credentials' | PageShape;

export type PageShape = 'page or plain' | 'page or problem';

export const pageOr = (errors: ErrorShape): PageShape => (errors.endsWith('problem') ? 'page or problem' : 'page or plain');

/** Reads a form from its headers and bytes. */
export type FormReader<T> = (
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  bytes: Buffer,
) => Result<T, 'unauthenticated'>;

export interface Declaration<A extends Access = Access> {
  readonly method: Method;
  readonly path: string;
  /**
   * Name in generated clients: `listProducts`. Unique on its listener
   * (docs/specification/requests.md, "Versions").
   */
  readonly operationId: string;
  readonly access: A;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly params: z.ZodType | null;
  /** True when a path whose parameters do not fit is unknown for every method. */
  readonly strictPath: boolean;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  readonly bodyType: string;
  /** Reads the body in place of the JSON parser and `body`, which then only describes it. */
  readonly form: FormReader<unknown> | null;
  readonly streams: readonly string[];
  readonly idempotent: boolean;
  /** A second requirement, which is said with that of the key. */
  readonly needsToo: string | null;
  /** The list of the body whose elements are counted. */
  readonly bulk: BulkList | null;
  readonly looksUp: 'product' | 'collection' | null;
  readonly etag: boolean;
  readonly ranges: boolean;
  /** True when the audit log has the requests of the route: those of the admin that may change something. */
  readonly isAudited: boolean;
  /** True when the request only tries the change: the audit log does not have it. */
  readonly isTrial: ((query: unknown) => boolean) | null;
  /** Reads what the route changes, for the audit log. */
  readonly audits: ((application: Application, params: unknown, body: unknown) => Promise<Result<unknown, RefusalCode>>) | null;
  readonly status: number;
  readonly otherStatus: { readonly status: number; readonly meaning: string } | null;
  readonly response: z.ZodType | null;
  readonly responseType: string;
  /** Pointer of the document to the address that events are sent to after the request. */
  readonly callback: string | null;
  readonly refusals: readonly RefusalCode[];
  readonly errors: ErrorShape;
  readonly examples: { readonly body?: unknown; readonly response?: unknown };
}

export interface Route extends Declaration {
  readonly handler: AnyHandler;
}
