import { rm } from 'node:fs/promises';
import { expect } from 'vitest';

import type { Verification } from '../../src/application/insight/verify.ts';
import { eventually } from './eventually.ts';
import { imageOf } from './image-server.ts';
import { createEmptyDatabase } from './postgres.ts';
import { respond, startReceiver } from './receiver.ts';
import { checkOut, load, type Release } from './releases.ts';
import { asAdmin, startProcess, type ServerProcess } from './server.ts';
import { UpgradeTraffic } from './upgrade-traffic.ts';

/** Several nodes start, and images are imported all the time. */
export const PATIENCE_MS = 600_000;

/** A database as a release has left it, and what its nodes reach. */
export interface Upgrade {
  readonly url: string;
  /** A node of the release. */
  startOld(): Promise<ServerProcess>;
  /** A node of the present version. */
  startPresent(): Promise<ServerProcess>;
  /** On a store of its own. */
  openTraffic(node: ServerProcess): Promise<UpgradeTraffic>;
  /** The invariants that do not hold, as this node sees them, with what breaks them. */
  violated(node: ServerProcess): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const openUpgrade = async (release: Release): Promise<Upgrade> => {
  const [checkout, { url, drop }, receiver, images] = await Promise.all([
    checkOut(release),
    createEmptyDatabase(),
    startReceiver(),
    startReceiver(),
  ]);
  images.answer(respond(200, await imageOf('png'), { 'content-type': 'image/png' }));
  await load(release, url);
  const nodes: ServerProcess[] = [];
  const start = async (options: { readonly checkout?: string }): Promise<ServerProcess> => {
    const open = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', MEDIA_ALLOWED_CIDRS: '127.0.0.0/8' };
    const env = { ...open, DATABASE_STATEMENT_TIMEOUT_MS: '0', LOG_LEVEL: 'info' };
    const node = await startProcess({ databaseUrl: url, env, ...options });
    nodes.push(node);
    return node;
  };
  return {
    url,
    startOld: () => start({ checkout }),
    startPresent: () => start({}),
    openTraffic: (node) => UpgradeTraffic.open(node, receiver, `${images.url}/image.png`),
    violated: async (node) => {
      // On a busy machine a check may not end in its time, and then says nothing.
      const { invariants } = await eventually(async () => {
        const found = JSON.parse((await asAdmin(node, 'GET', '/admin/verify')).body) as Verification;
        expect(found.invariants.filter(({ isComplete }) => !isComplete)).toEqual([]);
        return found;
      });
      // The receivers of the demo store do not exist any more.
      const judged = invariants.filter(({ name }) => name !== 'deliveries_served');
      return judged.filter(({ violated }) => violated !== 0).map(({ name, examples }) => `${name}: ${examples.join(', ')}`);
    },
    close: async () => {
      await Promise.all(nodes.map((node) => node.end()));
      await Promise.all([receiver.close(), images.close(), drop(), rm(checkout, { recursive: true, force: true })]);
    },
  };
};

/** Ends it as an operator does; its status. */
export const stop = async (node: ServerProcess): Promise<number | null> => {
  node.kill('SIGTERM');
  return (await node.exited).code;
};
