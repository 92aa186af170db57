/**
 * The hash of an entry (domain/insight/audit.ts, chainedText). The number, which is a column where the others are given, is apart:
 * on Citus, an UPDATE takes no function of a column that depends on settings, as convert_to does.
 */
export const chained = (previous: string, entry: (column: string) => string): string =>
  `sha256(${previous} || convert_to(${entry('store_id')} || '|', 'UTF8') || decode(${entry('number')}, 'escape') || convert_to('|' || ${entry('id')} || '|' || iso(${entry('at')}) || '|'
    || coalesce(${entry('operator_id')}::text, '') || '|' || coalesce(${entry('answers')}::text, '') || '|' || ${entry('content')}, 'UTF8'))`;
