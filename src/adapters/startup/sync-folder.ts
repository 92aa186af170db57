import { open } from 'node:fs/promises';

/** A new or renamed entry of the folder is on the disk when it resolves. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
