import { join } from 'node:path';
import { Agent } from 'undici';

import { built } from '../../support/built.ts';
import { ADMIN_TOKEN } from '../kit/merchant.ts';
import { startListening } from '../kit/started.ts';
import type { Node } from './client.ts';
import type { Bug } from './node/bugs.ts';
import { CAMPAIGN_SETTINGS } from '../../support/campaign-settings.ts';

const SETTINGS = {
  ...CAMPAIGN_SETTINGS,
  ADMIN_TOKEN,
  LOG_LEVEL: 'info',
};

export interface StartedNode extends Node {
  stop(): Promise<void>;
}

const CONNECTIONS = 16;

export interface NodeOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  /** A single process does the background work. */
  readonly role: 'all' | 'api';
  readonly plant: Bug | null;
}

export const startNode = async ({ databaseUrl, folder, role, plant }: NodeOptions): Promise<StartedNode> => {
  const paths = { DATA_DIR: join(folder, 'data'), MEDIA_STORAGE: join(folder, 'media') };
  const { url, adminUrl, stop } = await startListening({
    args: ['test/campaigns/readers/node/main.js'],
    cwd: built(),
    env: { ...SETTINGS, ...paths, DATABASE_URL: databaseUrl, ROLE: role, ...(plant !== null && { PLANT: plant }) },
  });
  const agent = new Agent({ connections: CONNECTIONS, headersTimeout: 30_000, bodyTimeout: 30_000 });
  return {
    url,
    adminUrl,
    agent,
    stop: async () => {
      await agent.close();
      await stop();
    },
  };
};
