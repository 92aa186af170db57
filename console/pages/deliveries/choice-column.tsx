import type { Delivery } from '../../api/types.ts';
import type { Column } from '../../parts/table.tsx';

type Chosen = ReadonlySet<string>;

const without = (chosen: Chosen, id: string): Chosen => new Set([...chosen].filter((other) => other !== id));

/** A box on each row, and one in the heading for all rows of the page. */
export const choiceColumn = (rows: readonly Delivery[], chosen: Chosen, choose: (chosen: Chosen) => void): Column<Delivery> => {
  const areAll = rows.every(({ id }) => chosen.has(id));
  return {
    name: 'Select',
    kind: 'tight',
    head: (
      <input
        type="checkbox"
        className="box"
        aria-label="Select all deliveries on this page"
        checked={areAll}
        onChange={() => choose(areAll ? new Set() : new Set(rows.map(({ id }) => id)))}
      />
    ),
    cell: ({ id, eventType, resourceId }) => (
      <input
        type="checkbox"
        className="box"
        aria-label={`Select ${eventType}${resourceId === null ? '' : ` of ${resourceId}`}`}
        checked={chosen.has(id)}
        onChange={() => choose(chosen.has(id) ? without(chosen, id) : new Set([...chosen, id]))}
      />
    ),
  };
};
