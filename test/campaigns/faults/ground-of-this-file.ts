import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';

import { openGround, type Grounds } from './campaign.ts';

/** The ground of all rounds of the file, which ends with its tests. */
export const groundOfThisFile = (): (() => Grounds) => {
  let ground: Grounds;
  beforeAll(async () => {
    ground = await openGround();
  });
  afterAll(async () => {
    await ground.close();
    await rm(ground.logs, { recursive: true, force: true });
  });
  return () => ground;
};
