import { openConsoleFiles } from '../../http/console/files/console-files.ts';
import type { ConsoleKind } from '../../http/console/files/index-page.ts';
import type { ConsolePageFiles } from '../../http/console/pages.ts';

/** Loaded once for the process: the files never change while it runs. */
const load = openConsoleFiles();

export const consoleFiles = (kind: ConsoleKind) => async (): Promise<ConsolePageFiles> => {
  const { assets, page } = await load();
  return { assets, page: page(kind) };
};

/** Loads the files before a browser asks for them. A failure is for the request that needs them. */
export const warmConsoleFiles = async (): Promise<void> => {
  await load().catch(() => undefined);
};
