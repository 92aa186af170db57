import { createNodeMessages as memoryNetwork } from '../../memory/node-messages.ts';
import type { MessagesWorld } from '../node-messages.contract.ts';

export const memoryMessagesWorld = async (): Promise<MessagesWorld> => {
  const network = memoryNetwork();
  return {
    node: network.node,
    disconnect: async () => {
      network.disconnect();
    },
    connect: async () => {
      network.connect();
    },
    close: async () => undefined,
  };
};
