import type { SandboxCount } from '../../identity/sandbox.ts';

export interface SandboxRecords {
  /**
   * Returns how many events, deliveries, attempts, idempotency keys, redeliveries and images of imports the sandbox store has, with
   * the bytes of their contents. Counts an event that waits for its fan-out as a delivery to each subscription as well. Counts no
   * further than a sandbox store may have. Returns null for the store of a merchant, and where the store does not exist.
   */
  count(storeId: string): Promise<SandboxCount | null>;
}
