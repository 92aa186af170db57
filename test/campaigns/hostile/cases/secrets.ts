import type { Case } from '../support/campaign.ts';
import { operations } from '../support/operations.ts';
import { each, type Attack } from '../support/attacker.ts';
import { openShop, tokenOf } from '../support/shop.ts';
import { asAdmin } from '../support/site.ts';

const LIST = '/apps/catalog/products';
const HOOKS = '/apps/webhooks/subscriptions';

/** Ways to send a secret where it does not belong, to be seen in no log and in no answer. */
const misplaced = (secret: string): readonly Omit<Attack, 'base' | 'what'>[] => {
  const encoded = encodeURIComponent(secret);
  const basic = Buffer.from(`${secret}:${secret}`).toString('base64');
  const json = { 'content-type': 'application/json' };
  return [
    { method: 'GET', path: `${LIST}?access_token=${encoded}&q=${encoded}` },
    { method: 'GET', path: `${LIST}/${encoded}` },
    { method: 'GET', path: `/${encoded}` },
    { method: 'GET', path: LIST, headers: { authorization: secret } },
    { method: 'GET', path: LIST, headers: { authorization: `Basic ${basic}` } },
    { method: 'GET', path: LIST, headers: { authorization: `Bearer ${secret}x` } },
    {
      method: 'GET',
      path: LIST,
      headers: { cookie: `token=${secret}`, 'x-api-key': secret, referer: `https://example.com/?t=${encoded}` },
    },
    { method: 'POST', path: HOOKS, headers: { ...json, authorization: `Bearer ${secret}` }, body: `{"url":"${secret}"` },
    { method: 'POST', path: '/apps/token', headers: json, body: JSON.stringify({ client_secret: secret }) },
    { method: 'POST', path: `/apps/token?client_secret=${encoded}`, headers: { authorization: `Basic ${basic}` } },
    {
      method: 'POST',
      path: '/apps/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` },
      body: `grant_type=client_credentials&client_id=${encoded}&client_secret=${encoded}`,
    },
  ];
};

/**
 * Rotates, uses and misplaces every credential. The attacker searches for all of them in every answer
 * and log line.
 */
export const secrets: Case = {
  about: 'Every credential is rotated, used, and sent in the wrong place.',
  run: async ({ site: openShared, attacker }) => {
    const site = await openShared();
    const shop = await openShop(site, operations, 2);
    const before = attacker.logLines();
    const admin = asAdmin(site);
    for (const app of shop.apps) {
      const at = `/admin/apps/${app.installationId}`;
      const made = { makesSecrets: true, wanted: [200] };
      const rotated = await admin('POST', `${at}/rotate-client-secret`, { overlapSeconds: 60 }, made);
      const signing = await admin('POST', `${at}/rotate-signing-secret`, { overlapSeconds: 60 }, made);
      const { clientSecret } = JSON.parse(rotated.body) as { clientSecret: string };
      const { signingSecret } = JSON.parse(signing.body) as { signingSecret: string };
      const token = await tokenOf(site, shop.domain, { clientId: app.clientId, clientSecret });
      const all = [app.clientSecret, clientSecret, signingSecret, app.token, token];
      const shots = all.flatMap((secret) => misplaced(secret));
      await each(
        [site.url, site.adminUrl].flatMap((base) => shots.map((shot) => ({ base, shot }))),
        ({ base, shot }) =>
          attacker.send({
            what: 'a secret where it does not belong',
            base,
            ...shot,
            headers: { host: shop.domain, ...shot.headers },
          }),
      );
    }
    return { 'secrets known': attacker.secrets.size(), 'lines of log': attacker.logLines() - before };
  },
};
