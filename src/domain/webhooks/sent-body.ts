import { cutBody } from './body-fields.ts';
import { fieldsWithMarks, withIncluded } from './included.ts';

/** Options of a delivery, as its fan-out has kept them. */
export interface BodyShape {
  /** Null is all of the data. */
  readonly fields: readonly string[] | null;
  /** Null is the event alone. */
  readonly include: readonly string[] | null;
  /** Members for the data, as a JSON object. Null where there are no members. */
  readonly included: string | null;
}

/** The bytes of each attempt: they follow from what does not change (docs/specification/webhooks.md, "Body"). */
export const sentBody = (body: string, { fields, include, included }: BodyShape): string => {
  if (include === null) return cutBody(body, fields);
  return cutBody(withIncluded(body, included, include), fields && fieldsWithMarks(fields));
};
