import { provenKey, type ProvenKey } from './rate-limit.ts';
import type { Scope } from './scope.ts';

export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}

/** What the requests of the caller are counted under. */
export const callerKey = ({ installationId }: Caller): ProvenKey => provenKey(installationId);
