import { provenKey, type ProvenKey } from './rate-limit.ts';
import type { Scope } from './scope.ts';

export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}

/** As the credentials name it. */
export interface AdmittedCaller extends Caller {
  /** The platform app whose sandbox store it calls. Null in the store of a merchant. */
  readonly sandboxAppId: string | null;
}

/** What the requests of the caller are counted under. A developer needs no merchant for another sandbox store, so all of them share one. */
export const callerKey = ({ installationId, sandboxAppId }: AdmittedCaller): ProvenKey =>
  provenKey(sandboxAppId ?? installationId);
