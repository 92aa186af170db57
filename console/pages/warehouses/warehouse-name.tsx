import { Id } from '../../parts/copy.tsx';

interface WarehouseNameProps {
  readonly storeId: string;
  readonly id: string;
  readonly name: string | null;
}

/** A warehouse by its name and its id. The first stock of a variant is in the one that has the id of the store. */
export const WarehouseName = ({ storeId, id, name }: WarehouseNameProps) => {
  if (name === null && id === storeId) return 'Default';
  return (
    <>
      {name !== null && (
        <span className="clip" title={name}>
          {name}
        </span>
      )}{' '}
      <Id value={id} short />
    </>
  );
};
