import type { Cidr } from '../domain/webhooks/address.ts';
import type { EventFields } from '../domain/webhooks/event-fields.ts';
import type { DeliverySettings } from './webhooks/delivery/deliver-due.ts';
import type { AppConsoleUrl } from './identity/create-app-console-code.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings {
  readonly idempotencyMaxResponseBytes: number;
  readonly bulkMaxProducts: number;
  readonly secretOverlapSeconds: number;
  readonly webhookAllowedCidrs: readonly Cidr[];
  readonly eventFields: EventFields;
  readonly adminToken: string;
  readonly appConsoleUrl: AppConsoleUrl;
  readonly delivery: Pick<DeliverySettings, 'schedule' | 'onAttempt'>;
}
