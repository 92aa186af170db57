import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { everyOperation, nameOf, type Operation, type Schema } from '../campaigns/hostile/support/operations.ts';
import { shortOf, worstOf } from '../campaigns/hostile/worst/requests.ts';

const documented = ['openapi.json', 'openapi-admin.json'].flatMap((name) => {
  const { paths } = JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
});

const invented = (schema: Schema, contentType = 'application/json'): Operation => ({
  side: 'admin',
  method: 'POST',
  path: '/admin/inventions/{inventionId}',
  scopes: [],
  parameters: [{ name: 'since', in: 'query', schema: { type: 'string' } }],
  bodies: { [contentType]: { schema } },
  statuses: [200],
  makesSecrets: false,
  isPublic: false,
  isOfDeveloper: false,
});

describe('the worst requests', () => {
  it('are sent to every operation of both documents, also in the short form', () => {
    expect(everyOperation.map(nameOf).sort()).toEqual(documented.sort());
    for (const [turn, operation] of everyOperation.entries()) {
      const all = worstOf(operation);
      expect(all.length, nameOf(operation)).toBeGreaterThan(30);
      const types = Object.keys(operation.bodies);
      for (const type of types) {
        const ofType = all.filter(({ contentType }) => contentType === type);
        expect(ofType.length, `${nameOf(operation)} with ${type}`).toBeGreaterThan(5);
      }
      expect(shortOf(all, turn).length, nameOf(operation)).toBeGreaterThan(2);
    }
  });

  it('reach every array, object, text and number of an unknown schema', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' }, slug: { type: 'string' } } } },
        extra: { type: 'object', additionalProperties: { type: 'string' } },
        either: { anyOf: [{ type: 'null' }, { type: 'array', items: { type: 'number' } }] },
      },
    };
    const whats = worstOf(invented(schema)).map(({ what }) => what);
    expect(whats).toEqual(
      expect.arrayContaining([
        '100,000 keys at body (object)',
        'zeros at body.items (array)',
        '10,000 elements that fit at body.items (array)',
        '100,000 keys at body.items.0 (object)',
        'a million digits at body.items.0.count (number)',
        '40 KB of letters with a mark each at body.items.0.slug (string)',
        '100,000 entries that fit at body.extra (map)',
        'zeros at body.either (array)',
        '?since=: 2,000 tokens',
        'content-type: 15 KB of blanks',
        'a long id in the path',
      ]),
    );
  });

  it('are exactly as large as the limit, and most are valid JSON', () => {
    const schema: Schema = {
      type: 'object',
      required: ['items'],
      properties: {
        items: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
      },
    };
    const bytes = 1_048_576;
    const bodies = worstOf(invented(schema)).flatMap(({ what, body }) =>
      body ? [{ what, text: body(0, bytes).toString() }] : [],
    );
    for (const { what, text } of bodies) expect(Buffer.byteLength(text), what).toBeLessThanOrEqual(bytes);
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    expect(bodies.filter(({ text }) => !isJson(text)).map(({ what }) => what)).toEqual([
      'brackets that never close at body (object)',
      'quotes at body (object)',
    ]);
    const zeros = bodies.find(({ what }) => what.startsWith('zeros at body.items'))!;
    expect((JSON.parse(zeros.text) as { items: number[] }).items.length).toBeGreaterThan(500_000);
  });

  it('differ between attempts if they write, so that each attempt is the same work', () => {
    const schema: Schema = { type: 'array', items: { type: 'string' } };
    const fits = worstOf(invented(schema)).find(({ what }) => what.startsWith('10,000 elements that fit'))!;
    expect(fits.body!(0, 1_048_576)).not.toBe(fits.body!(1, 1_048_576));
  });

  it('are reported as missing for an unknown media type', () => {
    expect(() => worstOf(invented({ type: 'string' }, 'application/xml'))).toThrow('no worst bodies of application/xml');
  });
});
