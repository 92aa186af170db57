import { Readable } from 'node:stream';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

import { jsonText, Raw } from '../../src/adapters/http/answer.ts';
import { JudgedParts } from '../../src/adapters/http/judged-parts.ts';
import type { Renewal } from '../../src/adapters/http/renewal.ts';
import { route } from '../../src/adapters/http/route.ts';
import type { Caller } from '../../src/domain/identity/caller.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import { ok, refuse, type Refusal } from '../../src/domain/result.ts';

// The compiler enforces the declarations: `npm run types` fails on a `@ts-expect-error` without an error.

const thing = z.object({ name: z.string(), size: z.int() });
const aThing = { name: 'saw', size: 280 };
const at = () => route.get('/things', 'doThings').scope('read_products');

describe('access must be declared first', () => {
  it('a route without it cannot have a handler', () => {
    // @ts-expect-error neither a scope, nor admin, nor public
    expect(() => route.get('/things', 'doThings').handle(() => Promise.resolve(ok(null)))).toThrow(TypeError);
  });
  it('a route without it cannot have a body or a response', () => {
    // @ts-expect-error neither a scope, nor admin, nor public
    expect(() => route.post('/things', 'doThings').body(thing)).toThrow(TypeError);
    // @ts-expect-error neither a scope, nor admin, nor public
    expect(() => route.get('/things', 'doThings').returns(200, thing)).toThrow(TypeError);
  });
  it('it is declared once', () => {
    // @ts-expect-error the route has a scope, so it is not public
    expect(() => at().public()).toThrow(TypeError);
  });
  it.each([
    ['app', at().returnsNothing(), { kind: 'app', scopes: ['read_products'] }],
    [
      'admin',
      route.get('/things', 'doThings').admin().returnsNothing(),
      { kind: 'admin', needs: 'viewer', stores: null, rule: { by: 'all' } },
    ],
    ['public', route.get('/things', 'doThings').public().returnsNothing(), { kind: 'public' }],
  ])('%s', (_who, builder, access) => {
    expect(builder.handle(() => Promise.resolve(ok(null))).access).toEqual(access);
  });
  it('a scope that is unknown or not enforced cannot be required', () => {
    const guarded = [
      // @ts-expect-error known, but not yet enforced
      route.get('/things', 'doThings').scope('read_customers'),
      // @ts-expect-error there is no such scope
      route.get('/things', 'doThings').scope('read_everything'),
    ];
    expect(guarded).toHaveLength(2);
  });
});

describe('refusals', () => {
  const declared = at().returns(200, thing).refuses('not_found');

  it('a declared refusal compiles and is part of the route', () => {
    const made = declared.handle(() => Promise.resolve(refuse('not_found', 'no such thing')));
    expect(made.refusals).toEqual(['not_found']);
  });
  it('an undeclared refusal does not compile', () => {
    // @ts-expect-error conflict is not declared
    expect(declared.handle(() => Promise.resolve(refuse('conflict', 'taken'))).refusals).toEqual(['not_found']);
  });
  it('an undeclared refusal does not compile beside a declared one', () => {
    const handler = (): Promise<Refusal<'not_found' | 'invalid'>> => Promise.resolve(refuse('invalid', 'no such thing'));
    // @ts-expect-error invalid is not declared
    expect(declared.handle(handler).refusals).toEqual(['not_found']);
  });
  it('a route without declared refusals cannot refuse', () => {
    const silent = at().returns(200, thing);
    // @ts-expect-error nothing is declared
    expect(silent.handle(() => Promise.resolve(refuse('not_found', 'no such thing'))).refusals).toEqual([]);
  });
  it('several declarations are combined', () => {
    const made = declared
      .refuses('conflict')
      .summary('Get a thing')
      .handle(() => Promise.resolve(refuse('conflict', 'taken')));
    expect(made.refusals).toEqual(['not_found', 'conflict']);
  });
  it('an unknown code cannot be declared', () => {
    // @ts-expect-error there is no such code
    expect(at().refuses('teapot')).toBeDefined();
  });
});

describe('a handler gets', () => {
  const nothing = Promise.resolve(ok(null));

  it('the body as parsed by its schema', () => {
    const schema = z.object({ name: z.string(), since: z.iso.datetime().transform((text) => new Date(text)) });
    const made = route
      .post('/things', 'doThings')
      .scope('write_products')
      .body(schema)
      .returnsNothing()
      .handle((_app, { body }) => {
        expectTypeOf(body).toEqualTypeOf<{ name: string; since: Date }>();
        // @ts-expect-error the schema has no such field
        expectTypeOf(body.size).toBeNever();
        return nothing;
      });
    expect(made.body).toBe(schema);
  });
  it('the parameters of path and query as parsed by their schemas', () => {
    const params = z.object({ id: z.guid() });
    const query = z.object({ take: z.string().transform(Number) });
    const made = at()
      .params(params)
      .query(query)
      .returnsNothing()
      .handle((_app, input) => {
        expectTypeOf(input.params).toEqualTypeOf<{ id: string }>();
        expectTypeOf(input.query).toEqualTypeOf<{ take: number }>();
        return nothing;
      });
    expect([made.params, made.query]).toEqual([params, query]);
  });
  it('null for inputs that are not declared', () => {
    const made = at()
      .returnsNothing()
      .handle((_app, { params, query, body, tx }) => {
        expectTypeOf([params, query, body, tx]).toEqualTypeOf<null[]>();
        return nothing;
      });
    expect([made.params, made.query, made.body]).toEqual([null, null, null]);
  });
  it('the caller on an app route only', () => {
    const ofApp = at()
      .returnsNothing()
      .handle((_app, { caller }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>();
        return nothing;
      });
    const ofAdmin = route
      .get('/things', 'doThings')
      .admin()
      .returnsNothing()
      .handle((_app, { caller }) => {
        expectTypeOf(caller).toEqualTypeOf<null>();
        return nothing;
      });
    expect([ofApp.access.kind, ofAdmin.access.kind]).toEqual(['app', 'admin']);
  });
  it('the transaction that remembers the response, on an idempotent route only', () => {
    const made = route
      .post('/things', 'doThings')
      .scope('write_products')
      .idempotent()
      .returnsNothing()
      .handle((_app, { tx }) => {
        expectTypeOf(tx).toEqualTypeOf<TransactionPorts>();
        return nothing;
      });
    expect(made.idempotent).toBe(true);
  });
  it('a streamed body as a stream with its media type', () => {
    const made = route
      .post('/things', 'doThings')
      .admin()
      .streams('text/csv')
      .returnsNothing()
      .handle((_app, { body }) => {
        // @ts-expect-error a long body is read only while its sender may send it
        expectTypeOf(body.read).toBeCallableWith();
        expectTypeOf(body.read).parameter(0).toEqualTypeOf<Renewal>();
        expectTypeOf(body.contentType).toBeString();
        return nothing;
      });
    expect([made.streams, made.body]).toEqual([['text/csv'], null]);
  });
});

describe('a handler may answer', () => {
  const things = at().returns(200, z.object({ items: z.array(thing) }));

  it('values of the schema, readonly or not', () => {
    const items = [aThing] as const;
    expect(things.handle(() => Promise.resolve(ok({ items }))).status).toBe(200);
  });
  it('JSON text that is ready to send', () => {
    expect(things.handle(() => Promise.resolve(ok(jsonText('{"items":[]}')))).response).not.toBeNull();
  });
  it('no long text but one whose reader is judged again before each part', () => {
    const parts = async function* (): AsyncGenerator<string[]> {
      yield await Promise.resolve(['saw']);
    };
    const text = at().returns(200, z.string(), 'text/plain');
    const made = text.handle((_app, { context: { renewal } }) =>
      Promise.resolve(ok(new Raw(new JudgedParts(parts(), { renewal })))),
    );
    expect(made.responseType).toBe('text/plain');
    // @ts-expect-error nobody judges the reader of a stream of one's own
    expect(text.handle(() => Promise.resolve(ok(new Raw(Readable.from(parts())))))).toBeDefined();
    // @ts-expect-error nor that of a generator
    expect(text.handle(() => Promise.resolve(ok(new Raw(parts()))))).toBeDefined();
    // @ts-expect-error parts name what judges their reader
    expect(() => new JudgedParts(parts(), {})).toBeDefined();
  });
  it('no other values', () => {
    // @ts-expect-error a size is a number
    expect(things.handle(() => Promise.resolve(ok({ items: [{ name: 'saw', size: '280' }] })))).toBeDefined();
    // @ts-expect-error a field is missing
    expect(things.handle(() => Promise.resolve(ok({ items: [{ name: 'saw' }] })))).toBeDefined();
    // @ts-expect-error something must be answered
    expect(things.handle(() => Promise.resolve(ok(null)))).toBeDefined();
  });
  it('no body if none is declared', () => {
    const empty = at().returnsNothing();
    // @ts-expect-error 204 has no body
    const made = empty.handle(() => Promise.resolve(ok(aThing)));
    expect([made.status, made.response]).toEqual([204, null]);
  });
});

describe('a declaration is a value', () => {
  it('that no later step changes', () => {
    const first = at().returns(200, thing).refuses('not_found');
    first.refuses('conflict').etag();
    const made = first.handle(() => Promise.resolve(ok(aThing)));
    expect([made.refusals, made.etag]).toEqual([['not_found'], false]);
  });
  it('whose errors are problem+json in the admin API and on app routes that declare it', () => {
    const shapes = [at(), at().errors('problem'), route.get('/things', 'doThings').admin()].map(
      (builder) => builder.returnsNothing().handle(() => Promise.resolve(ok(null))).errors,
    );
    expect(shapes).toEqual(['plain', 'problem', 'problem']);
  });
});
