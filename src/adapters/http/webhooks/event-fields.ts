import type { z } from 'zod';

import { OPEN_FIELD, type EventFields, type FieldKind, type FieldTree } from '../../../domain/webhooks/event-fields.ts';
import { INCLUDED_MEMBERS } from '../../../domain/webhooks/included.ts';
import { GATHERED_FIELDS } from '../../../domain/webhooks/gathering.ts';
import { DECLARED_EVENTS } from '../../../domain/events/event-types.ts';
import { SUBSCRIBABLE_TYPES, type SubscribableType } from '../../../domain/webhooks/event.ts';
import { EVENT_DATA } from './event-data.ts';

const plain = (...kinds: readonly FieldKind[]): FieldTree => ({ kinds, isOpen: false, fields: {} });

/** Returns the fields that either of them has. */
const joined = (one: FieldTree, other: FieldTree): FieldTree => {
  const names = [...new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])];
  const both = (name: string): FieldTree => {
    const [mine, theirs] = [one.fields[name], other.fields[name]];
    return mine && theirs ? joined(mine, theirs) : (mine ?? theirs ?? OPEN_FIELD);
  };
  return {
    kinds: [...new Set([...one.kinds, ...other.kinds])],
    isOpen: one.isOpen || other.isOpen,
    fields: Object.fromEntries(names.map((name) => [name, both(name)])),
  };
};

const PLAIN: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  enum: 'text',
  literal: 'text',
  number: 'number',
  boolean: 'boolean',
};

/** Derives a tree from the schema of a value. A record of any names has only fields that nobody has listed. */
const treeOf = (schema: z.core.$ZodType): FieldTree => {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const kind = PLAIN[def.type];
  if (kind !== undefined) return plain(kind);
  if ('innerType' in def) return treeOf(def.innerType);
  if (def.type === 'array') return treeOf(def.element);
  if (def.type === 'union') return def.options.map(treeOf).reduce(joined);
  if (def.type === 'record') return { ...OPEN_FIELD, kinds: ['record'] };
  if (def.type !== 'object') return OPEN_FIELD;
  const fields = Object.entries(def.shape).map(([name, field]) => [name, treeOf(field)]);
  return { ...plain('record'), fields: Object.fromEntries(fields) as FieldTree['fields'] };
};

const ADDED_LATER: readonly string[] = [...GATHERED_FIELDS, ...INCLUDED_MEMBERS];

/** An event has not been gathered, and brings nothing but its own data, when a filter judges it. */
const judged = (type: SubscribableType): FieldTree => {
  const tree = treeOf(EVENT_DATA[type]);
  const { data } = DECLARED_EVENTS[type];
  const own: readonly string[] = data.kind === 'record' ? Object.keys(data.fields) : [];
  const fields = Object.entries(tree.fields).filter(([name]) => own.includes(name) || !ADDED_LATER.includes(name));
  return { ...tree, fields: Object.fromEntries(fields) };
};

/** Fields that a filter may name (docs/specification/webhooks.md, "Options"). */
export const EVENT_FIELDS = Object.fromEntries(SUBSCRIBABLE_TYPES.map((type) => [type, judged(type)])) as EventFields;
