/**
 * The number of an event that waits (pending_events.seq), drawn where the row is written. The coordinator would have to draw a
 * sequence's, and the rows would travel: two phases for each commit with events.
 *
 * It is above all numbers of the store that the statement sees, so an event that was caused by another comes behind it, also where the
 * clock goes back or the shard has moved to a worker whose clock is behind. Else it is the time in microseconds. The last 12 bits
 * are of the transaction: two that draw at once get different numbers, for the store's pending rows are on one node. Such numbers last until 2071.
 *
 * The largest number is looked for once in a statement, since the name of the shard makes the look-up a text that is planned each
 * time. The setting keeps the last number for its other rows.
 */
export const DRAW_SEQ = [
  `CREATE OR REPLACE FUNCTION draw_seq() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    here text := NEW.store_id || ' ' || extract(epoch FROM statement_timestamp());
    drawn text[] := string_to_array(current_setting('tenon.drawn', true), '/');
    last bigint;
  BEGIN
    IF drawn[1] = here THEN
      last := drawn[2];
    ELSE
      EXECUTE format('SELECT max(seq) FROM %I.%I WHERE store_id = $1', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last USING NEW.store_id;
    END IF;
    NEW.seq := greatest((extract(epoch FROM clock_timestamp() - timestamptz '2000-01-01 00:00:00+00') * 1000000)::bigint,
      (coalesce(last, 0) >> 12) + 1) << 12 | (pg_current_xact_id()::text::bigint & 4095);
    PERFORM set_config('tenon.drawn', here || '/' || NEW.seq, true);
    RETURN NEW;
  END
  $$`,
  'ALTER TABLE pending_events ALTER COLUMN seq DROP DEFAULT',
  // Citus would send the sequence to the nodes with the table, which it does for superusers only.
  'ALTER SEQUENCE pending_events_seq_seq OWNED BY NONE',
  // A restore has the numbers.
  'CREATE TRIGGER draw_seq BEFORE INSERT ON pending_events FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION draw_seq()',
];
