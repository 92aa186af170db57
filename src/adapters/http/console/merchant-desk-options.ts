import type { Request } from 'express';

import type { AuditRefused } from '../../../application/insight/gather-audit-refusals.ts';
import type { Application } from '../../../application/index.ts';
import type { IdentityProvider } from '../../../domain/ports/identity/identity-provider.ts';
import type { LiveReaders } from '../live/live-readers.ts';
import type { AdminAttempts } from '../serving/admit/admin-attempts.ts';
import type { TrustsProxy } from '../serving/listener/host.ts';
import type { SessionCookie } from './cookie.ts';

/** The origin of the console's pages for this request; null for none. */
export type OriginOf = (request: Request) => string | null;

export interface MerchantDeskOptions {
  readonly application: Application;
  readonly attempts: AdminAttempts;
  readonly live: Pick<LiveReaders, 'endSession'>;
  readonly trusts: TrustsProxy;
  /** Never waits. */
  readonly onAuditRefused: (refused: AuditRefused) => void;
  readonly attemptCookie: SessionCookie;
  readonly originOf: OriginOf;
  /** Null where none is set. */
  readonly provider: IdentityProvider | null;
}
