/** A subscription, or an installation that is its own. */
export interface LeasedRow {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string;
}

/** By what a request stops work. */
export const idOf = {
  subscription: (row: LeasedRow) => row.id,
  installation: (row: LeasedRow) => row.installationId,
  store: (row: LeasedRow) => row.storeId,
};
