import type { Ports } from '../domain/ports/index.ts';
import { catalogueUses } from './catalogue/index.ts';
import { customDataUses } from './custom-data/index.ts';
import { idempotencyUses } from './idempotency/index.ts';
import { identityUses } from './identity/index.ts';
import { locateRequests } from './identity/sealed-install-request.ts';
import { auditChange } from './insight/audit-change.ts';
import { insightUses } from './insight/index.ts';
import { mediaUses } from './media/index.ts';
import { ownUses } from './own-uses.ts';
import { sandboxUses } from './sandbox-uses.ts';
import type { ApplicationSettings } from './settings.ts';
import { webhookUses } from './webhooks/index.ts';
import { judgeUrl } from './webhooks/judge-target.ts';

/** The use cases of each room, and those that join rooms. */
export const createApplication = (ports: Ports, settings: ApplicationSettings) => ({
  ...catalogueUses(ports, settings),
  ...customDataUses(ports),
  ...idempotencyUses(ports, settings),
  ...identityUses(ports, settings, judgeUrl(ports, settings.webhookAllowedCidrs)),
  ...insightUses(ports),
  ...mediaUses(ports),
  ...webhookUses(ports, settings),
  ...ownUses(ports, settings),
  ...sandboxUses(ports, settings),
  auditChange: auditChange({ ...ports, locator: locateRequests(ports) }),
});

export type Application = ReturnType<typeof createApplication>;
