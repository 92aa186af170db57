import type { WarehouseReport } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, textFlag } from '../../flags.ts';

/** An empty text clears the field. */
const given = (text: string | undefined): string | null | undefined => (text === '' ? null : text);

export const setWarehouse = adminCommand({
  docs: {
    brief: 'Name a warehouse',
    about: "Says the name, the code or the country of a warehouse. What you leave out stays, and '' clears it. Its stock stays.",
    examples: [
      'tenon warehouses set 019a8f3e-6f5b-7cc2-a111-5f3c5c1b9d2e --name "Main warehouse" --country DE',
      "tenon warehouses set 019a8f3e-6f5b-7cc2-a111-5f3c5c1b9d2e --code ''",
    ],
  },
  flags: {
    store: STORE_FLAG,
    name: textFlag('Name', 'name'),
    code: textFlag('Your own short name', 'code'),
    country: textFlag('Country of its address, by ISO 3166-1 alpha-2', 'country'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'id', brief: 'The whole id of the warehouse' }] },
  run: async ({ api, print }, { store, name, code, country }, id) => {
    if (name === undefined && code === undefined && country === undefined) {
      throw new CommandFailure('Give what to say of the warehouse: --name, --code or --country.', EXIT.usage);
    }
    const { id: storeId } = await findStore(api, store);
    const change = { id, name: given(name), code: given(code), country: given(country) };
    const { items } = await api.put<WarehouseReport>(`/stores/${storeId}/warehouses`, { warehouses: [change] });
    for (const warehouse of items) print.one(warehouse, { ...warehouse });
  },
});
