import { ADMIN_TOKEN } from '../kit/merchant.ts';
import { send, type Node } from './client.ts';

export interface CacheFigures {
  readonly hits: number;
  readonly misses: number;
}

const readsOf = (text: string, outcome: string): number => {
  const samples = text.matchAll(new RegExp(`^tenon_read_cache_reads_total\\{outcome="${outcome}"\\} (\\S+)$`, 'gm'));
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
};

/** How often the nodes looked for a document that they had kept, and for one that they had to render. */
export const cacheFigures = async (nodes: readonly Node[]): Promise<CacheFigures> => {
  const texts = await Promise.all(
    nodes.map(async ({ adminUrl, agent }) => {
      // The listener's pages are not below /admin.
      const node = { url: adminUrl, adminUrl, agent };
      return (await send(node, { path: '/metrics', headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).body.toString();
    }),
  );
  const all = texts.join('\n');
  return { hits: readsOf(all, 'hit'), misses: readsOf(all, 'miss') };
};
