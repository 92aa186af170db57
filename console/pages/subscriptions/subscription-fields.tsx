import { isPortal } from '../../api/client.ts';
import { faultOf } from '../../api/problem.ts';
import { Field } from '../../parts/field.tsx';
import { MERCHANT_TYPES, TYPE_GROUPS, type EventType } from './event-types.ts';

/** What a person writes of a subscription. */
export interface Content {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[];
}

/** As the API takes it. */
export const requestOf = ({ url, description, eventTypes }: Content) => ({
  url: url.trim(),
  eventTypes,
  description: description.trim() || null,
});

export const isWhole = ({ url, eventTypes }: Content): boolean => url.trim() !== '' && eventTypes.length > 0;

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
  </>
);
