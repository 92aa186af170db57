import { column } from './product-document.ts';

/**
 * Inserts any number of rows by one statement. `$rows` is a JSON array whose elements have their
 * fields under the names of the document; `$storeId` is the store of all of them. Its row is read, so
 * that Citus knows where the rows go and sends them there at once.
 */
export const insertText = (table: string, fields: Readonly<Record<string, string>>): string => {
  const names = Object.keys(fields);
  const types = Object.entries(fields).map(([name, type]) => `"${name}" ${type}`);
  return `INSERT INTO ${table} (store_id, ${names.map(column).join(', ')})
    SELECT s.id, ${names.map((name) => `r."${name}"`).join(', ')}
    FROM stores s CROSS JOIN json_to_recordset($rows::json) AS r(${types.join(', ')}) WHERE s.id = $storeId`;
};

/** Builds on insertText; a row with an existing id is replaced. */
export const upsertText = (table: string, fields: Readonly<Record<string, string>>): string =>
  `${insertText(table, fields)}
   ON CONFLICT (store_id, id) DO UPDATE SET ${Object.keys(fields)
     .filter((name) => name !== 'id')
     .map((name) => `${column(name)} = excluded.${column(name)}`)
     .join(', ')}`;
