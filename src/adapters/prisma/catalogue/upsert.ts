import { column } from './product-document.ts';
import { NEW_REVISION } from '../reading/revision.ts';

/**
 * Inserts any number of rows by one statement. `$rows` is a JSON array whose elements have their
 * fields under the names of the document; `$storeId` is the store of all of them.
 */
export const insertText = (table: string, fields: Readonly<Record<string, string>>): string => {
  const names = Object.keys(fields);
  const types = Object.entries(fields).map(([name, type]) => `"${name}" ${type}`);
  return `INSERT INTO ${table} (store_id, ${names.map(column).join(', ')})
    SELECT $storeId, ${names.map((name) => `r."${name}"`).join(', ')}
    FROM json_to_recordset($rows::json) AS r(${types.join(', ')})`;
};

/** As insertText; a row whose id the store has is replaced, under a new revision. */
export const upsertText = (table: string, fields: Readonly<Record<string, string>>): string =>
  `${insertText(table, fields)}
   ON CONFLICT (store_id, id) DO UPDATE SET ${Object.keys(fields)
     .filter((name) => name !== 'id')
     .map((name) => `${column(name)} = excluded.${column(name)}`)
     .join(', ')}, revision = ${NEW_REVISION}`;
