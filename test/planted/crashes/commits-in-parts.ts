import { openFolder } from './folder-storage.ts';

export const open = (path: string) => openFolder(path, true);
