import { MAX_MESSAGE_BYTES, type NodeListener, type NodeMessages, type NodeTopic } from '../../src/domain/ports/node-messages.ts';

interface Listening extends NodeListener {
  readonly topic: NodeTopic;
}

export interface MemoryNetwork {
  /** A node with its own end of the network. */
  node(): NodeMessages;
  disconnect(): void;
  connect(): void;
}

export const createNodeMessages = (): MemoryNetwork => {
  const all = new Set<Listening>();
  let isConnected = true;

  const node = (): NodeMessages => {
    const own = new Set<Listening>();
    let isClosed = false;
    return {
      send: (topic, message) => {
        if (isClosed || !isConnected || Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return false;
        for (const listening of [...all]) if (listening.topic === topic) listening.onMessage(message);
        return true;
      },
      listen: (topic, listener) => {
        const listening = { ...listener, topic };
        if (isClosed) return () => undefined;
        all.add(listening);
        own.add(listening);
        if (isConnected) listener.onConnected?.();
        return () => {
          all.delete(listening);
          own.delete(listening);
        };
      },
      close: async () => {
        isClosed = true;
        for (const listening of own) all.delete(listening);
      },
    };
  };

  return {
    node,
    disconnect: () => {
      isConnected = false;
    },
    connect: () => {
      isConnected = true;
      for (const { onConnected } of [...all]) onConnected?.();
    },
  };
};
