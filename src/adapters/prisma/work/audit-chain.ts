/** The hash of an entry (domain/insight/audit.ts, chainedText). */
export const chained = (previous: string, entry: (column: string) => string): string =>
  `sha256(${previous} || convert_to(${entry('store_id')} || '|' || ${entry('number')} || '|' || ${entry('id')} || '|' || iso(${entry('at')}) || '|'
    || coalesce(${entry('operator_id')}::text, '') || '|' || coalesce(${entry('answers')}::text, '') || '|' || ${entry('content')}, 'UTF8'))`;
