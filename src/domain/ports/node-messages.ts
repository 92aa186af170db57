/** Topics of the messages between nodes. */
export const NODE_TOPICS = ['live-interest', 'live-items'] as const;
export type NodeTopic = (typeof NODE_TOPICS)[number];

/** Bytes of a message at most. PostgreSQL carries less than 8,000 in a notification. */
export const MAX_MESSAGE_BYTES = 7_900;

export interface NodeListener {
  readonly onMessage: (message: string) => void;
  /** From now on messages are received. What was sent before may be lost. */
  readonly onConnected?: () => void;
}

/** Keeps nothing: a node that listens later does not receive the message. */
export interface NodeMessages {
  /**
   * Sends the message to every node that listens to its topic, this one included. Delivers the
   * messages of one sender in their order. Returns false and sends nothing while this node is not
   * connected, or when the message has more than 7,900 bytes.
   */
  send(topic: NodeTopic, message: string): boolean;
  /**
   * Calls `onConnected` when this node receives the topic, and again when it was disconnected
   * meanwhile. Returns a function that ends it.
   */
  listen(topic: NodeTopic, listener: NodeListener): () => void;
  /** Sends and receives nothing from then on. */
  close(): Promise<void>;
}
