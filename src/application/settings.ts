import type { CatalogueSettings } from './catalogue/index.ts';
import type { IdempotencySettings } from './idempotency/index.ts';
import type { IdentitySettings } from './identity/index.ts';
import type { SandboxSettings } from './sandbox-uses.ts';
import type { WebhookSettings } from './webhooks/index.ts';

/** The settings that use cases need; sizes in bytes, times in seconds. */
export interface ApplicationSettings
  extends CatalogueSettings, IdempotencySettings, IdentitySettings, SandboxSettings, WebhookSettings {}
