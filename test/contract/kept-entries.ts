import type { Installation } from '../../src/domain/identity/installation.ts';
import type { IdentityWorld } from './identity-worlds.ts';

type Owner = Pick<Installation, 'id' | 'storeId'>;

const TYPE = 'chart';
const CONTENT = { fields: {}, translations: null, publishedAt: null, seoTitle: null, seoDescription: null };

/** Gives the installation an entry with this handle, and the store its type. */
export const anEntry = ({ ids, ports }: IdentityWorld, { id, storeId }: Owner, handle = 'linen'): Promise<string> =>
  ports.transaction.run(null, async ({ metaobjects }) => {
    await metaobjects.putDefinition(storeId, { type: TYPE, name: TYPE, fields: [] });
    const { entry } = await metaobjects.putEntry({ storeId, installationId: id, type: TYPE, handle }, CONTENT, ids.next());
    return entry.id;
  });

/** The ids of the installation's own entries, by handle. */
export const entriesOf = async ({ ports }: IdentityWorld, { id, storeId }: Owner): Promise<string[]> => {
  const own = await ports.metaobjects.listOwn({ storeId, installationId: id }, TYPE, { after: null, limit: 100 });
  return (own ?? []).map((entry) => entry.id);
};
