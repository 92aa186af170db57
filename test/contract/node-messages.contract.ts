import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { NodeMessages, NodeTopic } from '../../src/domain/ports/node-messages.ts';

export interface MessagesWorld {
  /** A node with a connection of its own. */
  node(): NodeMessages;
  /** Cuts all connections, until `connect`. */
  disconnect(): Promise<void>;
  connect(): Promise<void>;
  close(): Promise<void>;
}

interface Heard {
  readonly messages: string[];
  /** How often it was connected. */
  connected: number;
  end(): void;
}

export const nodeMessagesContract = (name: string, open: () => Promise<MessagesWorld>) => {
  describe(`NodeMessages on ${name}`, () => {
    let world: MessagesWorld;
    let a: NodeMessages;
    let b: NodeMessages;
    beforeEach(async () => {
      world = await open();
      [a, b] = [world.node(), world.node()];
    });
    afterEach(async () => {
      await Promise.all([a.close(), b.close()]);
      await world.close();
    });

    const begin = (node: NodeMessages, topic: NodeTopic = 'live-items'): Heard => {
      const heard: Heard = { messages: [], connected: 0, end: () => undefined };
      heard.end = node.listen(topic, {
        onMessage: (message) => heard.messages.push(message),
        onConnected: () => (heard.connected += 1),
      });
      return heard;
    };
    const connected = (...all: Heard[]) =>
      expect.poll(() => all.map((heard) => heard.connected > 0)).toEqual(all.map(() => true));
    /** Resolves when the node receives its own message, which came after all before it. */
    const settled = async (node: NodeMessages, heard: Heard) => {
      await expect.poll(() => node.send('live-items', 'the last')).toBe(true);
      await expect.poll(() => heard.messages.at(-1)).toBe('the last');
    };

    it('Keeps nothing: a node that listens later does not receive the message.', async () => {
      const early = begin(a);
      await connected(early);
      expect(a.send('live-items', 'missed')).toBe(true);
      await expect.poll(() => early.messages).toEqual(['missed']);
      const late = begin(b);
      await connected(late);
      await settled(b, late);
      expect(late.messages).toEqual(['the last']);
    });

    describe('send', () => {
      it('Sends the message to every node that listens to its topic, this one included.', async () => {
        const [own, others, interest] = [begin(a), begin(b), begin(b, 'live-interest')];
        await connected(own, others, interest);
        expect(a.send('live-items', 'größer ✓')).toBe(true);
        await expect.poll(() => [own.messages, others.messages]).toEqual([['größer ✓'], ['größer ✓']]);
        await settled(b, others);
        expect(interest.messages).toEqual([]);
      });

      it('Delivers the messages of one sender in their order.', async () => {
        const [own, others] = [begin(a), begin(b)];
        await connected(own, others);
        const sent = Array.from({ length: 100 }, (_, k) => String(k));
        expect(sent.map((message) => a.send('live-items', message))).toEqual(sent.map(() => true));
        await expect.poll(() => others.messages).toEqual(sent);
        await expect.poll(() => own.messages).toEqual(sent);
      });

      describe('Returns false and sends nothing while this node is not connected, or when the message has more than 7,900 bytes.', () => {
        it('not connected', async () => {
          const heard = begin(a);
          await connected(heard);
          await world.disconnect();
          await expect.poll(() => a.send('live-items', 'lost')).toBe(false);
          heard.messages.length = 0;
          heard.connected = 0;
          await world.connect();
          // A node can send again before it receives again.
          await connected(heard);
          await settled(a, heard);
          expect(heard.messages).toEqual(['the last']);
        });

        it('too long', async () => {
          const heard = begin(a);
          await connected(heard);
          expect(a.send('live-items', 'x'.repeat(7_901))).toBe(false);
          expect(a.send('live-items', 'é'.repeat(3_951))).toBe(false);
          expect(a.send('live-items', 'x'.repeat(7_900))).toBe(true);
          await settled(a, heard);
          expect(heard.messages.map(({ length }) => length)).toEqual([7_900, 'the last'.length]);
        });
      });
    });

    describe('listen', () => {
      it('Calls `onConnected` when this node receives the topic, and again when it was disconnected meanwhile.', async () => {
        const heard = begin(a);
        await connected(heard);
        const second = begin(a);
        await connected(second);
        expect([heard.connected, second.connected]).toEqual([1, 1]);
        await world.disconnect();
        await world.connect();
        await expect.poll(() => [heard.connected, second.connected]).toEqual([2, 2]);
        await settled(a, heard);
      });

      it('Returns a function that ends it.', async () => {
        const [ended, other] = [begin(a), begin(a)];
        await connected(ended, other);
        ended.end();
        await settled(a, other);
        expect(ended.messages).toEqual([]);
        other.end();
        const again = begin(a);
        await connected(again);
        await settled(a, again);
        expect([other.messages, again.messages]).toEqual([['the last'], ['the last']]);
      });
    });

    describe('close', () => {
      it('Sends and receives nothing from then on.', async () => {
        const [closed, other] = [begin(a), begin(b)];
        await connected(closed, other);
        await a.close();
        expect(a.send('live-items', 'late')).toBe(false);
        await settled(b, other);
        expect([closed.messages, other.messages]).toEqual([[], ['the last']]);
      });
    });
  });
};
