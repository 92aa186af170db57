import { z } from 'zod';

import { readBy, secretSetting, setting, url } from './setting-kinds.ts';

/** Equals the form of a webhook's signing secret. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** A plain address: no name beside it, and nothing that could begin another header. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;
const mailbox = z.string().regex(ADDRESS, 'must be an address such as ops@example.com');
const mailboxes = readBy((text) => {
  const addresses = text.split(',').map((address) => address.trim());
  for (const address of addresses) mailbox.parse(address);
  return addresses;
}, 'must be addresses such as ops@example.com, separated by commas');

export const incidentSettings = {
  INCIDENT_WEBHOOK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Where incidents are sent as signed webhooks. Private addresses need WEBHOOK_ALLOWED_CIDRS.',
    { secret: 'path' },
  ),
  INCIDENT_WEBHOOK_SECRET: secretSetting(
    z.string().regex(SECRET, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
    'Signs these webhooks: `whsec_` and 24 to 64 random bytes in base64.',
  ),
  INCIDENT_SMTP_URL: setting(
    url('smtp:', 'smtps:').optional(),
    undefined,
    'Server for mail about incidents: `smtps://user:password@host:465`, or `smtp://host:587` with STARTTLS, which a password needs.',
  ),
  INCIDENT_MAIL_FROM: setting(mailbox.optional(), undefined, 'Address from which this mail is sent.'),
  INCIDENT_MAIL_TO: setting(mailboxes.optional(), undefined, 'Addresses that get this mail, separated by commas.'),
  INCIDENT_SLACK_URL: setting(
    url('https:', 'http:').optional(),
    undefined,
    'Incoming webhook of Slack, or of a compatible service, for messages about incidents.',
    { secret: 'path' },
  ),
} as const;
