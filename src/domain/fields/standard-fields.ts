import { flag, id, time } from './kinds.ts';

export const EXAMPLE_TIME = '2026-11-21T09:30:00.000Z';

/** docs/specification/catalogue.md, "Standard fields". */
export const standard = (example: number) => ({
  id: id({ example }),
  tenantId: id({ only: 'answered', about: 'The store.', example: 99 }),
  createdAt: time({ example: EXAMPLE_TIME }),
  updatedAt: time({ orNull: true }),
  deletedAt: time({ orNull: true }),
  isDeleted: flag({ default: false }),
});

const STANDARD = standard(0);
export const isStandard = (name: string): name is keyof typeof STANDARD => name in STANDARD;
