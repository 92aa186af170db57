import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';

import { createSecrets } from '../../src/adapters/node/secrets.ts';
import { attemptHeaders, signedContent } from '../../src/domain/webhooks/webhook-message.ts';

const secrets = createSecrets([{ kid: 'k', key: Buffer.alloc(32, 1) }]);
const body = '{"id":"e","type":"product.updated","data":{"name":"Hobel – ❄"}}';

/** An attempt as the worker makes it, signed with each secret in turn. */
const attempt = (...keys: readonly string[]): Record<string, string> => {
  const eventId = '0197a000-0000-7000-8000-000000000001';
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = keys.map((key) => secrets.webhookSigner(key)(signedContent(eventId, timestamp, body))).join(' ');
  return { ...attemptHeaders({ eventId, timestamp, signature, subscriptionId: 's', number: 1 }) };
};

describe('the published library of Standard Webhooks', () => {
  let secret: string;
  let headers: Record<string, string>;
  beforeAll(() => {
    secret = secrets.signingSecret();
    headers = attempt(secret);
  });
  const verify =
    (text: string, changed: Record<string, string> = {}, key = secret) =>
    () =>
      new Webhook(key).verify(text, { ...headers, ...changed });

  it('accepts an attempt', () => {
    expect(verify(body)()).toEqual(JSON.parse(body));
  });

  it('accepts either secret while two signing secrets are valid; the newest signature comes first', () => {
    const newer = secrets.signingSecret();
    const both = attempt(newer, secret);
    const content = signedContent(both['webhook-id'] ?? '', Number(both['webhook-timestamp']), body);
    const signatures = [newer, secret].map((key) => secrets.webhookSigner(key)(content));
    expect(both['webhook-signature']?.split(' ')).toEqual(signatures);
    for (const key of [newer, secret]) expect(() => new Webhook(key).verify(body, both)).not.toThrow();
  });

  it.each([
    ['changed body', () => verify(`${body} `)],
    ['changed id', () => verify(body, { 'webhook-id': '0197a000-0000-7000-8000-000000000002' })],
    ['changed timestamp', () => verify(body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })],
    ['other secret', () => verify(body, {}, secrets.signingSecret())],
    ['old timestamp', () => verify(body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 3600) })],
  ])('refuses a %s', (_what, attack) => {
    expect(attack()).toThrow(/signature|timestamp/i);
  });

  it('accepts the test vector of the specification', () => {
    const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
    const content = signedContent(id, 1614265330, '{"test": 2432232314}');
    expect(secrets.webhookSigner('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')(content)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});
