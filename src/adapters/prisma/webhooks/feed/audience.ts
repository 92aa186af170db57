import { PRIVATE_TYPES } from '../../../../domain/webhooks/event.ts';

const PRIVATE: ReadonlySet<string> = new Set(PRIVATE_TYPES);

/**
 * Returns the SQL condition for a type of events that only the app that caused them and the merchant may see; those of the merchant,
 * every app. `type` names its column.
 */
export const isOfOneApp = (type: string): string => `${type} IN ('${PRIVATE_TYPES.join("', '")}')`;

/**
 * Audience of an event, as its place in the feed has it: its type, and behind that the only app
 * that may see it. So an app finds its next events by an index, and neither the time that it takes
 * nor the page tells how many others there are.
 */
export const audienceOf = (event: string): string =>
  `CASE WHEN ${isOfOneApp(`${event}type`)} THEN concat_ws(' ', ${event}type, ${event}origin_installation_id) ELSE ${event}type END`;

/** The audiences to which the app belongs, of the types. */
export const audiencesFor = (types: readonly string[], installationId: string): readonly string[] =>
  types.flatMap((type) => (PRIVATE.has(type) ? [type, `${type} ${installationId}`] : [type]));
