import type { CallOptions } from './call.ts';
import { Resource } from './resource.ts';
import type { Warehouse } from './types.ts';

/** The warehouses of the store, which stock names by their ids. */
export class Warehouses extends Resource {
  /**
   * Every warehouse, by id; the pages are read as you iterate. One without a name has its id as its name. Needs
   * `read_products`.
   *
   * @example
   * for await (const { id, name } of tenon.warehouses.list()) console.log(id, name);
   */
  list(options: CallOptions = {}): AsyncGenerator<Warehouse, void> {
    return this.pages<Warehouse>(['/apps/warehouses'], options);
  }
}
