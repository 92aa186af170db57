import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { isoTime } from '../../src/domain/time.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('people hear of incidents', () => {
  let server: OpenApp;
  let [webhook, slack]: Receiver[] = [];
  let mail: MailServer;
  beforeAll(async () => {
    [webhook, slack] = [await startReceiver(), await startReceiver()];
    mail = await startMailServer();
    server = await openApp({
      INCIDENT_WEBHOOK_URL: `${webhook.url}/incidents?key=hidden-key`,
      INCIDENT_WEBHOOK_SECRET: SECRET,
      INCIDENT_SLACK_URL: `${slack.url}/services/hidden-path`,
      INCIDENT_SMTP_URL: mail.url,
      INCIDENT_MAIL_FROM: 'tenon@example.com',
      INCIDENT_MAIL_TO: 'ops@example.com, boss@example.com',
    });
  });
  afterAll(async () => {
    await server.close();
    await Promise.all([webhook?.close(), slack?.close(), mail.close()]);
  });
  /** Skips the waits before a message. */
  const waitsAreOver = () =>
    server.database.query(
      `UPDATE incident_notices SET next_at = now() - interval '1 second', taken_at = taken_at - interval '2 minutes' WHERE sent_at IS NULL`,
    );

  it('over each channel that is set up, and again if a message was not accepted', async () => {
    const store = await server.aStore('told.test');
    const incident = {
      ...({ id: randomUUID(), storeId: store.id, kind: 'deliveries_late', subject: randomUUID(), name: store.domain } as const),
      ...{ since: isoTime(Date.now()), impact: 7, cause: 'No worker sends them.' },
    };
    webhook!.answer(respond(500), respond(204));
    await server.container.resolve(TOKENS.ports).incidents.begin([incident], ['webhook', 'slack', 'mail']);
    await waitsAreOver();
    const refused = await webhook!.next();
    const text = JSON.parse((await slack!.next()).body.toString()) as { text: string };
    expect(text.text).toContain('Began: Deliveries late: told.test');
    await eventually(async () => {
      const lines = server.logged().filter(({ msg }) => msg.startsWith('A message about incidents'));
      expect(lines).toMatchObject([{ channel: 'webhook', reason: 'status 500' }]);
    });
    await waitsAreOver();
    const accepted = await webhook!.next();
    expect(accepted.headers['webhook-id']).not.toBe(refused.headers['webhook-id']);
    expect(verified(accepted, SECRET)).toMatchObject({
      type: 'incidents',
      data: { incidents: [{ id: incident.id, phase: 'begin', kind: 'deliveries_late', store: 'told.test' }] },
    });
    await eventually(async () => {
      const rows = await server.database.query('SELECT FROM incident_notices WHERE sent_at IS NULL');
      expect(rows).toEqual([]);
    });
    expect(server.log.join('\n')).not.toMatch(/hidden|whsec_|secret-word/);
    expect(mail.mails).toMatchObject([{ from: 'tenon@example.com', to: ['ops@example.com', 'boss@example.com'] }]);
  });

  it('a webhook needs its secret, and mail a server and a sender', () => {
    const parsed = parseConfig({ INCIDENT_WEBHOOK_URL: 'https://hooks.example.com/' });
    expect(parsed).toMatchObject({ ok: false, message: 'INCIDENT_WEBHOOK_URL: needs INCIDENT_WEBHOOK_SECRET' });
    for (const [name, value, message] of [
      ['INCIDENT_MAIL_TO', 'ops@example.com', 'needs INCIDENT_SMTP_URL'],
      [
        'INCIDENT_MAIL_TO',
        'ops@example.com, Ops <ops@example.com>',
        'must be addresses such as ops@example.com, separated by commas',
      ],
      ['INCIDENT_MAIL_FROM', 'ops', 'must be an address such as ops@example.com'],
      ['INCIDENT_SMTP_URL', 'https://mail.example.com', 'must be a URL that begins with smtp:// or smtps://'],
    ] as const) {
      expect(parseConfig({ [name]: value })).toMatchObject({ ok: false, message: `${name}: ${message}` });
    }
    const short = parseConfig({ INCIDENT_WEBHOOK_SECRET: 'whsec_short' });
    expect(short).toMatchObject({ ok: false, message: 'INCIDENT_WEBHOOK_SECRET: must be whsec_ and 24 to 64 bytes in base64' });
  });
});
