import type { SubscriptionSettings } from './webhooks/create-subscription.ts';
import type { DeliverySettings } from './webhooks/delivery/deliver-due.ts';
import type { AppConsoleUrl } from './identity/create-app-console-code.ts';
import type { SandboxSettings } from './sandbox-uses.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings extends SubscriptionSettings, SandboxSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
  readonly secretOverlapSeconds: number;
  readonly adminToken: string;
  readonly appConsoleUrl: AppConsoleUrl;
  /** Page on which a merchant decides about an install request. */
  readonly consentUrl: string;
  readonly delivery: Pick<DeliverySettings, 'schedule' | 'onAttempt'>;
}
