import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createIncidentMessenger } from '../../src/adapters/outgoing/incidents/incident-messenger.ts';
import { createWebhookSender } from '../../src/adapters/outgoing/webhook/webhook-sender.ts';
import { createAddressResolver } from '../memory/address-resolver.ts';
import { parseCidrs } from '../../src/adapters/node/names/ip-address.ts';
import { webhookSigner } from '../../src/adapters/node/secrets.ts';
import type { Notice } from '../../src/domain/insight/incident-message.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { startMailServer } from '../support/mail-server.ts';
import { hang, respond, startReceiver, verified, type Receiver } from '../support/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const notice = (more: Partial<Notice['incident']> = {}, phase: Notice['phase'] = 'begin'): Notice => ({
  phase,
  incident: {
    id: '00000000-0000-7000-8000-000000000001',
    storeId: '00000000-0000-7000-8000-000000000002',
    store: 'a.test',
    kind: 'receiver_failing',
    subject: 's',
    name: 'hooks <b> & co',
    beganAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    impact: 3,
    cause: 'The last 10 attempts failed.',
    ...more,
  },
});
const ENDED = notice({ id: 'x', endedAt: '2026-01-01T01:00:00.000Z' }, 'end');

describe('the messages about incidents', () => {
  let receiver: Receiver;
  const sender = createWebhookSender({
    addresses: createAddressResolver(),
    allowed: parseCidrs('127.0.0.0/8'),
    clock: { now: Date.now },
    timeoutSeconds: 60,
  });
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await sender.close();
    await receiver.close();
  });
  const messenger = (url = receiver.url) =>
    createIncidentMessenger({
      sender,
      clock: { now: Date.now },
      ids: sequentialIds(),
      secrets: { webhookSigner },
      webhook: { url: `${url}/hook`, secret: SECRET },
      slackUrl: `${url}/slack`,
      mail: null,
    });

  it('as a webhook are signed, and have each incident as it is', async () => {
    const sent = messenger().send('webhook', [notice(), ENDED]);
    const request = await receiver.next();
    expect(await sent).toBeNull();
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Tenon-Incidents' });
    expect(verified(request, SECRET)).toMatchObject({
      id: request.headers['webhook-id'],
      type: 'incidents',
      data: {
        incidents: [
          {
            phase: 'begin',
            store: 'a.test',
            kind: 'receiver_failing',
            title: 'Receiver fails',
            name: 'hooks <b> & co',
            endedAt: null,
            impact: { count: 3, of: 'deliveries' },
            cause: 'The last 10 attempts failed.',
          },
          { phase: 'end', id: 'x', endedAt: '2026-01-01T01:00:00.000Z' },
        ],
      },
    });
  });
  it('for Slack are a text without its signs', async () => {
    const sent = messenger().send('slack', [notice()]);
    const request = await receiver.next();
    expect(await sent).toBeNull();
    expect(JSON.parse(request.body.toString())).toEqual({
      text: [
        'Began: Receiver fails: hooks &lt;b&gt; &amp; co (a.test)',
        'Began: Receiver fails: hooks &lt;b&gt; &amp; co (a.test), since 2026-01-01T00:00:00.000Z. Impact: 3 deliveries. The last 10 attempts failed.',
      ].join('\n'),
    });
  });
  it('say in a few words why they were not accepted', async () => {
    receiver.answer(respond(503));
    expect(await messenger().send('slack', [notice()])).toBe('status 503');
    expect(await messenger('http://10.0.0.1').send('webhook', [notice()])).toBe('address_not_allowed');
  });
  it('end with the messenger', async () => {
    receiver.answer(hang);
    const closing = messenger();
    const sent = closing.send('webhook', [notice()]);
    await receiver.next();
    closing.close();
    expect(await sent).toBe('timeout');
  });
  it('go only over the channels that are set up', async () => {
    const clock = manualClock();
    const none = createIncidentMessenger({
      sender,
      clock,
      ids: sequentialIds(),
      secrets: { webhookSigner },
      webhook: null,
      slackUrl: null,
      mail: null,
    });
    expect([none.channels, messenger().channels]).toEqual([[], ['webhook', 'slack']]);
    expect(await none.send('webhook', [notice()])).toBe('not set up');
  });

  describe('by mail', () => {
    const byMail = (smtpUrl: string) =>
      createIncidentMessenger({
        sender,
        clock: { now: Date.now },
        ids: sequentialIds(),
        secrets: { webhookSigner },
        webhook: null,
        slackUrl: null,
        mail: { smtpUrl, from: 'tenon@example.com', to: ['ops@example.com', 'boss@example.com'] },
      });
    it('go to each address, as text', async () => {
      const server = await startMailServer();
      const one = byMail(server.url);
      expect(one.channels).toEqual(['mail']);
      expect(await one.send('mail', [notice({ name: 'x\r\nBcc: thief@example.com' }), ENDED])).toBeNull();
      const [mail] = server.mails;
      expect(mail).toMatchObject({ from: 'tenon@example.com', to: ['ops@example.com', 'boss@example.com'], user: 'someone' });
      expect(mail?.text).toMatch(/^Subject: \[Tenon\] 2 incidents: 1 began, 1 ended\r$/m);
      expect(mail?.text).toContain('Impact: 3 deliveries.');
      expect(mail?.text.split('\r\n\r\n', 1)[0]).not.toMatch(/^Bcc/m);
      one.close();
      await server.close();
    });
    it('that the server refuses, or that is not there, say so without its address or a password', async () => {
      const server = await startMailServer({ refuses: true });
      expect(await byMail(server.url).send('mail', [notice()])).toBe('EENVELOPE');
      expect(await byMail(server.url.replace('secret-word', 'wrong-word')).send('mail', [notice()])).toBe('EAUTH');
      await server.close();
      expect(await byMail(server.url).send('mail', [notice()])).toBe('ESOCKET');
    });
    describe('never show a password to a server without valid TLS', () => {
      /** An address of this machine that does not say so. */
      const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');
      it.each([
        ['without STARTTLS', {}, ''],
        ['without STARTTLS, where the address asks to ignore it', {}, '?ignoreTLS=true&requireTLS=false&opportunisticTLS=true'],
        ['with a certificate that nobody vouches for', { startTls: true }, ''],
      ])('%s', async (_case, options, query) => {
        const server = await startMailServer(options);
        expect(await byMail(`${elsewhere(server.url)}/${query}`).send('mail', [notice()])).toMatch(
          /^(the server does not offer STARTTLS|ESOCKET)$/,
        );
        expect([server.passwords, server.mails]).toEqual([[], []]);
        await server.close();
      });
      it('but a mail without one goes out', async () => {
        const server = await startMailServer();
        const without = elsewhere(server.url).replace('someone:secret-word@', '');
        expect(await byMail(without).send('mail', [notice()])).toBeNull();
        expect(server.mails).toHaveLength(1);
        await server.close();
      });
    });
    it('end with the messenger', async () => {
      const server = await startMailServer({ isSilent: true });
      const one = byMail(server.url);
      const sent = one.send('mail', [notice()]);
      await server.connected;
      one.close();
      expect(await sent).toBe('timeout');
      await server.close();
    });
  });
});
