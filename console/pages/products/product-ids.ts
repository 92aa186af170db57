/** Ids of products in the API: another text would refuse the request for all. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for events whose subject is a product. */
const isProduct = (type: string): boolean => type.startsWith('product.') || type.startsWith('inventory.');

export interface About {
  readonly type: string;
  readonly resourceId: string | null;
}

/** The ids of the products that these are about, each once. */
export const productIds = (about: readonly About[]): readonly string[] => {
  const ids = about.flatMap(({ type, resourceId }) => (resourceId !== null && isProduct(type) ? resourceId : []));
  return [...new Set(ids)].filter((id) => UUID.test(id)).sort();
};
