/** The id of the store of what belongs to none: a request for a host that no store has. */
export const NO_STORE = '00000000-0000-0000-0000-000000000000';

/** Things that are asked for by an id alone, unique over all stores. A store locates itself. */
export type Located =
  'delivery' | 'install-request' | 'installation' | 'media-import' | 'redelivery' | 'request' | 'store' | 'subscription';

export interface Locator {
  /** Returns the id of the store that has it. Returns NO_STORE for a refused request of no store. Returns null when there is none. */
  storeOf(kind: Located, id: string): Promise<string | null>;
}
