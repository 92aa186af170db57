import type { FoundProduct, ImportNote } from '../../domain/catalogue/product-import.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { plural } from '../../domain/values/plural.ts';
import { shortened } from '../../domain/values/text.ts';
import type { SavedProduct } from './save-products.ts';

const MAX_SHOWN = 60;

interface Seen {
  count: number;
  line: number;
  example: string;
}

const nothing = (): Seen => ({ count: 0, line: 0, example: '' });

const isForNothing = ({ status, variants }: Product): boolean =>
  status === 'Active' && variants.some(({ price, isDeleted }) => price === 0 && !isDeleted);

/** Counts, for the whole file, what is worth a note of its saved products. */
export class SavedNotes {
  private readonly handles = nothing();
  private readonly free = nothing();

  add({ line, document }: FoundProduct, { product, outcome }: SavedProduct): void {
    const given = document.slug?.trim();
    if (given && product.slug !== null && given !== product.slug) {
      const example = `${JSON.stringify(shortened(given, MAX_SHOWN))} as ${shortened(product.slug, MAX_SHOWN)}`;
      this.see(this.handles, line, example);
    }
    if (outcome !== 'unchanged' && isForNothing(product)) this.see(this.free, line, product.slug ?? product.id);
  }

  all(): ImportNote[] {
    const { handles, free } = this;
    const messages = [
      ...(handles.count === 0
        ? []
        : [
            `Handles are kept in another form: ${plural(handles.count, 'handle')}, such as ${handles.example}. ${this.first(handles)}`,
          ]),
      ...(free.count === 0
        ? []
        : [
            `Active products have a variant with the price 0: ${plural(free.count, 'product')}, such as ${free.example}. ${this.first(free)}`,
          ]),
    ];
    return messages.map((message) => ({ line: 1, message }));
  }

  private see(seen: Seen, line: number, example: string): void {
    seen.count += 1;
    seen.line ||= line;
    seen.example ||= example;
  }

  private first({ line }: Seen): string {
    return `The first is in line ${String(line)}.`;
  }
}
