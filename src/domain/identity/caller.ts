import { provenKey, type ProvenKey } from './rate-limit.ts';
import type { Scope } from './scope.ts';

export interface Caller {
  readonly storeId: string;
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}

export interface AdmittedCaller extends Caller {
  /** The platform app whose sandbox store it calls. Null in the store of a merchant. */
  readonly sandboxAppId: string | null;
}

/** The key under which the requests of the caller are counted. A developer makes sandbox stores alone, so all of an app have one. */
export const callerKey = ({ installationId, sandboxAppId }: AdmittedCaller): ProvenKey =>
  provenKey(sandboxAppId ?? installationId);
