/** The items of all pages. */
export const allOf = async <T>(pages: AsyncIterable<Iterable<T>>): Promise<T[]> => {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
};
