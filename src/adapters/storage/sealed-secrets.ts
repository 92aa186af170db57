/** In the order of the rows. */
export interface SealedPlace {
  readonly storeId: string;
  readonly id: string;
}

export interface SealedText {
  readonly context: string;
  readonly sealed: string;
}

export interface SealedSecretRow extends SealedPlace, SealedText {}

export interface ResealedSecret extends SealedPlace {
  /** Sealed text that the row must still have. */
  readonly old: string;
  readonly sealed: string;
}

export interface SealedTable {
  /** The next rows behind the place, or from the first one on, that are sealed under another key, in their order. */
  otherThan(kid: string, after: SealedPlace | null, limit: number): Promise<readonly SealedSecretRow[]>;
  /** Returns the number of replaced rows: 1 or 0. */
  replace(secret: ResealedSecret): Promise<number>;
}

/** Number of secrets under a key, by its name. */
export type KeyCounts = ReadonlyMap<string, number>;

export interface SealedSample {
  readonly kid: string;
  readonly count: number;
  readonly samples: readonly SealedText[];
}

export interface StoredPepper {
  /** SHA-256 of the pepper, in hex. */
  readonly id: string;
  readonly sealed: string;
}

export interface SecretOwner {
  readonly kind: 'app' | 'platform app' | 'subscription';
  readonly id: string;
  /** The name of the app, or the URL of the subscription. */
  readonly name: string;
  /** The domain of its store. Null of a platform app, which is of no store. */
  readonly domain: string | null;
}

/** Counts of secrets that nobody needs. */
export interface Unneeded {
  readonly expiredSigningSecrets: number;
  readonly signingSecretsOfUninstalledApps: number;
  /** Peppers of lost keys: without the key that sealed it, no hash matches by a pepper. */
  readonly peppers: number;
}

export interface SecretKeyUse {
  /** Number of secrets that deliveries still need. */
  readonly needed: number;
  readonly unneeded: Unneeded;
}

/** Secrets stored under the keys of SECRET_KEYS. */
export interface SealedSecrets {
  /** Everything but the peppers. */
  readonly tables: readonly SealedTable[];
  /** Samples of the secrets in use under each key. */
  samples(): Promise<readonly SealedSample[]>;
  /** Counts what is sealed under a key, which is lost. */
  useOf(kid: string): Promise<SecretKeyUse>;
  /** Owners of secrets under a key, at most `limit` of them. */
  ownersOf(kid: string, limit: number): Promise<readonly SecretOwner[]>;
  /** Deletes what is sealed under a lost key and is not needed. Returns how much it deleted. */
  forget(kid: string): Promise<Unneeded>;
  /** The peppers of keys that SECRET_KEYS may not have any more. */
  readonly peppers: {
    list(): Promise<readonly StoredPepper[]>;
    put(pepper: StoredPepper): Promise<void>;
  };
}

const BATCH = 100;

/** The rows of a table that are sealed under another key, a batch at a time. No key is named ''. */
export async function* batchesOf(table: SealedTable, kid = ''): AsyncGenerator<readonly SealedSecretRow[]> {
  for (let after: SealedPlace | null = null; ;) {
    const batch: readonly SealedSecretRow[] = await table.otherThan(kid, after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
}
