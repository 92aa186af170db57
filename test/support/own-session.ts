import { createNodeSession, type NodeSession } from '../../src/adapters/prisma/connection/node-session.ts';

/** A part of a node with a session of its own, which closes with the part. */
export const onOwnSession = <T extends { close(): Promise<void> }>(url: string, create: (session: NodeSession) => T): T => {
  const session = createNodeSession({ url });
  const part = create(session);
  return {
    ...part,
    close: async () => {
      await part.close();
      await session.close();
    },
  };
};
