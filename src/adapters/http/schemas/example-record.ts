/** Ids of the OpenAPI document's examples: the nth of them. */
export const exampleId = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const EXAMPLE_TIME = '2026-11-21T09:30:00.000Z';

/** The standard fields of the nth record of the examples. */
export const exampleRecord = (n: number) => ({
  id: exampleId(n),
  tenantId: exampleId(99),
  createdAt: EXAMPLE_TIME,
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
});

/** The envelope of a list that holds the one item. */
export const examplePage = (item: unknown) => ({ items: [item], skip: 0, take: 50, total: 1 });
