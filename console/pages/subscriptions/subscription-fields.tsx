import { isPortal } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { MERCHANT_TYPES, TYPE_GROUPS, type EventType } from './event-types.ts';

/** Input of a person for a subscription. */
export interface Content {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[];
  /** JSON. Empty: no filter. */
  readonly filter: string;
  /** Paths, separated by commas. Empty: all of the data. */
  readonly fields: string;
  readonly order: WatchedSubscription['order'];
  /** Two numbers of seconds, separated by a comma. Empty: each event by itself. */
  readonly gather: string;
  readonly include: WatchedSubscription['include'];
}

type Options = Pick<WatchedSubscription, 'filter' | 'fields' | 'order' | 'gather' | 'include'>;

/** The options of a subscription, as a person reads and writes them. */
export const writtenOptions = ({ filter, fields, order, gather, include }: Options): Pick<Content, keyof Options> => ({
  filter: filter === null ? '' : JSON.stringify(filter, null, 2),
  fields: (fields ?? []).join(', '),
  order,
  gather: gather === null ? '' : `${gather.quietSeconds}, ${gather.maxSeconds}`,
  include,
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const isFilter = (filter: string): boolean => filter.trim() === '' || isJson(filter);

const pathsOf = (fields: string): string[] =>
  fields
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');

/** Null where it is not two numbers. */
const gatheringOf = (gather: string): WatchedSubscription['gather'] => {
  const [, quiet, most] = /^\s*(\d{1,4})\s*,\s*(\d{1,4})\s*$/.exec(gather) ?? [];
  return quiet === undefined || most === undefined ? null : { quietSeconds: Number(quiet), maxSeconds: Number(most) };
};

const isGathering = (gather: string): boolean => gather.trim() === '' || gatheringOf(gather) !== null;

export const requestOf = ({ url, description, eventTypes, filter, fields, order, gather, include }: Content) => ({
  url: url.trim(),
  eventTypes,
  description: description.trim() || null,
  filter: filter.trim() === '' ? null : (JSON.parse(filter) as unknown),
  fields: pathsOf(fields).length > 0 ? pathsOf(fields) : null,
  order,
  gather: gatheringOf(gather),
  include,
});

export const isWhole = ({ url, eventTypes, filter, gather }: Content): boolean =>
  url.trim() !== '' && eventTypes.length > 0 && isFilter(filter) && isGathering(gather);

/** Fields that show their own faults. */
export const FAULTY = ['url', 'description', 'filter', 'fields', 'gather'] as const;

interface TypesProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: readonly EventType[]) => void;
}

const Types = ({ chosen, onChange }: TypesProps) =>
  TYPE_GROUPS.filter(([, types]) => !isPortal || types !== MERCHANT_TYPES).map(([title, types]) => (
    <fieldset key={title}>
      <legend>{title}</legend>
      <div className="checks">
        {types.map((type) => {
          const isChosen = chosen.includes(type);
          return (
            <label key={type} className="check">
              <input
                type="checkbox"
                checked={isChosen}
                onChange={() => onChange(isChosen ? chosen.filter((other) => other !== type) : [...chosen, type])}
              />
              <code>{type}</code>
            </label>
          );
        })}
      </div>
    </fieldset>
  ));

interface FieldsProps {
  readonly content: Content;
  readonly error: unknown;
  readonly onChange: (content: Content) => void;
}

/** The fields of a form, for a new subscription or for one that is edited. */
export const SubscriptionFields = ({ content, error, onChange }: FieldsProps) => (
  <>
    <Field
      label="URL of the receiver"
      hint="An https URL that the server can reach."
      placeholder="https://hooks.example.com/tenon"
      type="url"
      inputMode="url"
      autoComplete="off"
      autoFocus
      value={content.url}
      fault={faultOf(error, 'url')}
      onChange={(event) => onChange({ ...content, url: event.target.value })}
    />
    <Field
      label="Description (optional)"
      autoComplete="off"
      value={content.description}
      fault={faultOf(error, 'description')}
      onChange={(event) => onChange({ ...content, description: event.target.value })}
    />
    <Types chosen={content.eventTypes} onChange={(eventTypes) => onChange({ ...content, eventTypes })} />
    <TextField
      label="Filter (optional)"
      hint="JSON. Which of these events are sent. Empty: all of them."
      placeholder='{"path": "status", "op": "changed"}'
      rows={4}
      value={content.filter}
      fault={isFilter(content.filter) ? faultOf(error, 'filter') : 'It must be JSON.'}
      onChange={(event) => onChange({ ...content, filter: event.target.value })}
    />
    <Field
      label="Fields (optional)"
      hint="Paths of the data that are sent, separated by commas. Empty: all of the data."
      placeholder="changedFields, current.status"
      autoComplete="off"
      value={content.fields}
      fault={faultOf(error, 'fields')}
      onChange={(event) => onChange({ ...content, fields: event.target.value })}
    />
    <label className="check">
      <input
        type="checkbox"
        checked={content.order !== null}
        onChange={(event) => onChange({ ...content, order: event.target.checked ? 'resource' : null })}
      />
      <span>Send the events of one resource in order</span>
    </label>
    <label className="check">
      <input
        type="checkbox"
        checked={content.include !== null}
        onChange={(event) => onChange({ ...content, include: event.target.checked ? ['product'] : null })}
      />
      <span>Send the product with each event about it</span>
    </label>
    <Field
      label="Gather changes (optional)"
      hint="Seconds without another change of the product, and at most: 5, 60. Empty: each event by itself."
      placeholder="5, 60"
      autoComplete="off"
      value={content.gather}
      fault={isGathering(content.gather) ? faultOf(error, 'gather') : 'Two numbers of seconds, such as 5, 60.'}
      onChange={(event) => onChange({ ...content, gather: event.target.value })}
    />
  </>
);
