import fc from 'fast-check';

import type { Case } from '../support/campaign.ts';
import { NAUGHTY } from '../support/naughty.ts';
import { operations } from '../support/operations.ts';
import { each } from '../support/attacker.ts';
import { ENTRY_PATH, openShop, TYPE, type Shop } from '../support/shop.ts';
import { asAdmin, asApp, type Site } from '../support/site.ts';

/** Stored texts by where they stand, as what was sent and what was read back both have them. */
type Texts = Readonly<Record<string, unknown>>;
interface Trip {
  readonly name: string;
  /**
   * Sends the text in every place that keeps one, and reads it back. Null where it was refused, as
   * a text may be that is empty or too long.
   */
  send(text: string): Promise<{ readonly sent: Texts; readonly kept: Texts } | null>;
}

const TAKEN = [200, 201, 202, 400];

/** Compares the parts of `kept` that `sent` has: objects by their keys, arrays by their order. */
const sameIn = (sent: unknown, kept: unknown): boolean => {
  if (Array.isArray(sent)) return Array.isArray(kept) && sent.every((item, index) => sameIn(item, kept[index]));
  if (typeof sent !== 'object' || sent === null) return sent === kept;
  return (
    typeof kept === 'object' && kept !== null && Object.entries(sent).every(([key, value]) => sameIn(value, (kept as Texts)[key]))
  );
};

/**
 * A body with a text in every place; in those of names stands `name`, which the server keeps
 * without white space at its ends.
 */
type Body = (text: string, name: string) => Texts;

/** Every text of a product document. Its SKU, which no other product may have, ends in `suffix`. */
const documentWith =
  (suffix: string): Body =>
  (text, name) => ({
    name,
    description: text,
    metaTitle: text,
    metaDescription: text,
    groupKey: text,
    sizeGuideHtml: text,
    tags: [text],
    contentBlocks: [{ html: text, key: text, title: text }],
    translations: { de: { name: text, description: text, metaTitle: text, metaDescription: text } },
    digitalAssets: [{ contentType: text, fileName: text, storageKey: text }],
    media: [{ altText: text, contentType: text, storageKey: text, url: 'https://media.example.com/x' }],
    options: [{ name, values: [{ value: text, swatchHex: text, swatchImageKey: text, translations: { de: { value: text } } }] }],
    personalizationFields: [
      { key: text, label: text, helpText: text, placeholder: text, type: 'Select', options: [{ label: text, value: text }] },
    ],
    specifications: [{ name, value: text, translations: { de: { name: text, value: text } } }],
    variants: [{ sku: `${text}${suffix}`, currency: 'EUR', barcode: text }],
  });

const read = (answer: { readonly status: number; readonly body: string }): Texts | null =>
  answer.status === 400 || answer.status === 0 ? null : (JSON.parse(answer.body) as Texts);

/** Every place that keeps a text, with the way to write it and the way to read it. */
const tripsOf = (site: Site, shop: Shop): readonly Trip[] => {
  const admin = asAdmin(site);
  const app = asApp(site, shop, shop.apps[0]!);
  const at = `/admin/stores/${shop.id}`;
  const what = { what: 'a naughty text', wanted: TAKEN };
  /** Written to a path, and read from `readFrom` or, without it, from the answer. */
  const trip = (name: string, path: string, method: string, body: Body, readFrom = ''): Trip => ({
    name,
    send: async (text) => {
      const kept = read(await admin(method, path, body(text, text), what));
      const sent = body(text, text.trim());
      if (kept === null || readFrom === '') return kept && { sent, kept };
      return { sent, kept: read(await admin('GET', readFrom, undefined, what)) ?? {} };
    },
  });
  const [first = '', second = '', third = ''] = shop.products;
  const installation = `/admin/apps/${shop.apps[0]?.installationId ?? ''}`;
  const detail = (id: string): string => `${at}/products/${id}`;
  return [
    trip('product', detail(first), 'PUT', documentWith(''), detail(first)),
    trip('category', `${at}/categories/${shop.category}`, 'PUT', (_, name) => ({ name })),
    trip('tax class', `${at}/tax-classes/${shop.taxClass}`, 'PUT', (_, name) => ({ name, code: name })),
    trip('collection', `${at}/collections/${shop.collection}`, 'PUT', (_, title) => ({ title, productIds: [] })),
    trip('store', at, 'PATCH', (_, name) => ({ name }), at),
    trip('app', installation, 'PATCH', (_, name) => ({ name }), installation),
    {
      name: 'bulk update',
      send: async (text) => {
        const sent = { name: text, metaTitle: text, metaDescription: text };
        const done = read(await app('POST', '/apps/catalog/products/bulk', { products: [{ id: second, ...sent }] }, what));
        if (done?.['failed'] !== 0) return null;
        // An empty text clears a field that is not a name.
        const shown = { name: text.trim(), metaTitle: text || null, metaDescription: text || null };
        return { sent: shown, kept: read(await app('GET', `/apps/catalog/products/${second}`, undefined, what)) ?? {} };
      },
    },
    {
      name: 'import and export',
      send: async (text) => {
        const line: Body = (...texts) => ({ id: third, ...documentWith('-i')(...texts) });
        const type = { ...what, headers: { 'content-type': 'application/x-ndjson' } };
        const report = read(await admin('POST', `${at}/products/import`, JSON.stringify(line(text, text)), type));
        if (report?.['failed'] !== 0) return null;
        const { body } = await admin('GET', `${at}/products/export`, undefined, what);
        const found = body
          .split('\n')
          .find((one) => one.includes(`"id":"${third}"`) && (JSON.parse(one) as Texts)['id'] === third);
        return { sent: line(text, text.trim()), kept: found === undefined ? {} : (JSON.parse(found) as Texts) };
      },
    },
    {
      name: 'entry',
      send: async (text) => {
        const fields = { single_line_text: text, multi_line_text: text, json: { [text]: [text] } };
        const sent = {
          fields,
          seoTitle: text,
          seoDescription: text,
          translations: { de: { fields: { multi_line_text: text }, seoTitle: text } },
        };
        if (read(await app('PUT', ENTRY_PATH, sent, what)) === null) return null;
        const { items } = read(await admin('GET', `${at}/metaobjects/${TYPE}`, undefined, what)) as { items: readonly Texts[] };
        return { sent, kept: items.find((item) => item['installationId'] === shop.apps[0]?.installationId) ?? {} };
      },
    },
    {
      name: 'subscription',
      send: async (text) => {
        const sent = { url: 'https://hooks.example.com/x', eventTypes: ['product.updated'], description: text };
        const made = read(await app('POST', '/apps/webhooks/subscriptions', sent, what));
        if (made === null) return null;
        await app('DELETE', `/apps/webhooks/subscriptions/${String(made['id'])}`, undefined, { wanted: [204] });
        return { sent, kept: made };
      },
    },
  ];
};

/**
 * Texts that have broken something somewhere, and any others, through every place that keeps text:
 * what was taken comes back the same, character by character.
 */
export const strings: Case = {
  about: 'Problematic and random texts in every stored text, read back and compared character by character.',
  run: async ({ site: openShared, attacker, seed, short }) => {
    const site = await openShared();
    const shop = await openShop(site, operations, 1);
    const random = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), { seed, numRuns: short ? 5 : 150 });
    const texts = [...NAUGHTY.filter((_, index) => !short || index % 8 === 0), ...random];
    let kept = 0;
    // Each text goes through all places at the same time, but a place gets one text after the other.
    await each(
      tripsOf(site, shop),
      async (trip) => {
        let taken = 0;
        for (const text of texts) {
          const result = await trip.send(text);
          if (result === null) continue;
          taken += 1;
          if (!sameIn(result.sent, result.kept)) {
            attacker.violate('wrong answer', `${trip.name} does not keep ${JSON.stringify(text)}: ${JSON.stringify(result)}`);
          }
        }
        // A place that refuses every text would prove nothing, and say so to nobody.
        if (taken < texts.length / 4) attacker.violate('wrong answer', `${trip.name} takes ${taken} of ${texts.length} texts`);
        kept += taken;
      },
      8,
    );
    return { texts: texts.length, unchanged: kept };
  },
};
