import { z } from 'zod';

import { setting, url } from './setting-kinds.ts';

/** As the signing secret of a webhook. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

export const incidentSettings = {
  INCIDENT_WEBHOOK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Where incidents are sent as signed webhooks. Private addresses need WEBHOOK_ALLOWED_CIDRS.',
  ),
  INCIDENT_WEBHOOK_SECRET: setting(
    z.string().regex(SECRET, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
    undefined,
    'Signs these webhooks: `whsec_` and 24 to 64 random bytes in base64.',
  ),
  INCIDENT_SLACK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Incoming webhook of Slack, or of a compatible service, for messages about incidents.',
  ),
} as const;
