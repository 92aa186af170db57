import type { Cause } from '../../domain/cause.ts';
import type { Alone } from '../../domain/catalogue/fields/record.ts';
import { CATEGORY } from '../../domain/catalogue/fields/taxonomy-fields.ts';
import { checkCategory } from '../../domain/catalogue/taxonomy-checks.ts';
import { putRecord } from '../../domain/catalogue/new-record.ts';
import type { Category } from '../../domain/catalogue/product.ts';
import { parseSlug } from '../../domain/catalogue/slug.ts';
import { categoryEvents } from '../../domain/catalogue/taxonomy-events.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { saveWithEvent } from './save-with-event.ts';

export type CategoryInput = Alone<typeof CATEGORY>;

/** Creates or replaces the category, with its event. A write that changes nothing has no event. */
export const putCategory =
  ({ clock, stores, transaction }: Pick<Ports, 'clock' | 'stores' | 'transaction'>) =>
  async (
    cause: Cause,
    storeId: string,
    id: string,
    input: CategoryInput,
  ): Promise<Result<Category, 'invalid' | 'not_found' | 'conflict'>> => {
    if (!(await stores.get(storeId))) return notFound('Store');
    const parsed = input.slug ? parseSlug(input.slug) : ok(null);
    if (!parsed.ok) return refuse('invalid', parsed.message);
    const { parentId = null } = input;
    const slug = parsed.value;
    return transaction.run(cause, async ({ products, categories, events }) => {
      await products.lockCatalogue(storeId);
      const ids = parentId === null ? [id] : [id, parentId];
      const known = await categories.find(storeId, { ids, slugs: slug === null ? [] : [slug], names: [] });
      const refusal = checkCategory({ id, slug, parentId }, known);
      if (refusal) return refusal;
      const place = { id, storeId, known, now: isoTime(clock.now()) };
      const category = putRecord<Category, CategoryInput>(CATEGORY, place, input, { slug: () => slug });
      return ok(await saveWithEvent(category, known, { events, records: categories, eventsOf: categoryEvents }));
    });
  };
