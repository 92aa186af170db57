import type { Cidr } from '../domain/webhooks/address.ts';
import type { AppConsoleUrl } from './identity/create-app-console-code.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
  /** SECRET_OVERLAP_SECONDS. */
  readonly secretOverlapSeconds: number;
  /** WEBHOOK_ALLOWED_CIDRS. */
  readonly webhookAllowedCidrs: readonly Cidr[];
  /** ADMIN_TOKEN. */
  readonly adminToken: string;
  readonly appConsoleUrl: AppConsoleUrl;
}
