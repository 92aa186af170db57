/** Owner of the waiting request. */
export interface FeedWatcher {
  readonly storeId: string;
  /** Null is the merchant. */
  readonly installationId: string | null;
}

export interface FeedWatch {
  /**
   * Resolves with true when the feed or the rights of the installation may have changed since the
   * last call. Resolves with false when the watch has ended.
   */
  changed(): Promise<boolean>;
  /** Ends the watch. */
  end(): void;
}

/**
 * Every node hears what another announces. A suspension, an uninstallation or a revocation of its
 * tokens is a change for the installation. A store that becomes inactive is a change for its
 * installations. A watch needs no connection to the database of its own.
 */
export interface FeedSignal {
  /** Reports new events in the feed of the store. Does not wait for the nodes. */
  announce(storeId: string): void;
  /**
   * Opens a watch that ends after this many seconds, or when the signal is aborted. Returns null
   * when the installation has two open watches on this node. Returns null when the merchant has
   * twenty open watches of the store on this node.
   */
  watch(watcher: FeedWatcher, seconds: number, signal: AbortSignal): Promise<FeedWatch | null>;
  /** Ends the watches of this node. A watch that is opened later has ended. */
  endWatches(): void;
  /** Hears and reports nothing more. */
  close(): Promise<void>;
}
