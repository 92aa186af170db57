import { STATUS_CLASSES } from '../../../domain/insight/figures.ts';
import { statement } from '../connection/statement.ts';
import { arrayOf, LATENCIES } from '../work/delivery-figures.ts';

export const eachCall = (of: (element: string) => string) => ({
  answers: arrayOf(STATUS_CLASSES.length, (index) => of(`answers[${String(index)}]`)),
  latency: arrayOf(LATENCIES, (index) => of(`latency[${String(index)}]`)),
});

const { answers, latency } = eachCall((element) => `f.${element} + excluded.${element}`);

export const IN_ORDER_OF_KEYS = 'ORDER BY 1, 4, 2';

/** Adds rows to the figures. They come in the order of their keys, so that two transactions do not wait for each other. */
export const addingCalls = (rows: string): string => `
  INSERT INTO call_figures AS f (store_id, installation_id, unit, at, answers, latency)
  ${rows}
  ON CONFLICT (store_id, at, unit, installation_id) DO UPDATE SET answers = ${answers}, latency = ${latency}`;

/** The lock keeps the store until its rows are there for an erasure. */
export const ADD_CALLS = statement({
  text: addingCalls(`
  SELECT s.id, r.installation_id, 'minute', to_timestamp(r.at_ms / 1000), r.answers, r.latency
  FROM stores s CROSS JOIN json_to_recordset($calls::json) AS r(installation_id uuid, at_ms float8, answers int[], latency int[])
  WHERE s.id = $storeId ${IN_ORDER_OF_KEYS} FOR KEY SHARE OF s`),
  parameters: { storeId: 'uuid', calls: 'json' },
});
