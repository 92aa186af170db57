import type { PlatformApp } from '../domain/identity/platform-app.ts';
import type { Ports } from '../domain/ports/index.ts';
import { ok } from '../domain/result.ts';
import { fillStore, type DemoCatalogue } from './fill-store.ts';
import { isKnownKey } from './idempotency/run-idempotently.ts';
import { authenticateDeveloper } from './identity/check-client.ts';
import { deleteSandbox, putSandbox } from './identity/sandboxes.ts';

export interface SandboxSettings {
  /** Sandbox stores have names below it. Null where there are none. */
  readonly sandboxDomain: string | null;
  readonly demoCatalogue: (currency: string) => DemoCatalogue;
}

/** The stores in which the developer of a platform app tries it (docs/specification/credentials.md, "Sandbox stores"). */
export const sandboxUses = (ports: Ports, { sandboxDomain, demoCatalogue }: SandboxSettings) => {
  const fill = fillStore(ports, demoCatalogue);
  return {
    authenticateDeveloper: authenticateDeveloper(ports),
    countSandbox: (storeId: string) => ports.sandboxRecords.count(storeId),
    deleteSandbox: deleteSandbox(ports, sandboxDomain),
    fillStore: fill,
    isKnownKey: isKnownKey(ports),
    listSandboxes: async ({ id }: PlatformApp) => ok((await ports.stores.sandboxes(id)).stores),
    putSandbox: putSandbox(ports, sandboxDomain, fill),
  };
};
