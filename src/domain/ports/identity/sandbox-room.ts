/**
 * Transactions that look for room in one sandbox store follow each other, so each counts what those before it have added. In the
 * store of a merchant they do not wait.
 */
export interface SandboxRoom {
  /**
   * Returns how many entries the store may have beside those that it has. Returns null for the store of a merchant, which may have
   * any number.
   */
  forEntries(storeId: string): Promise<number | null>;
  /**
   * Returns how many images the store may have beside those that it has and those that are being imported. Returns null for the
   * store of a merchant, which may have any number.
   */
  forImages(storeId: string): Promise<number | null>;
}
