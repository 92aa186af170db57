import type { Ports } from '../../domain/ports/index.ts';
import { createStore } from './create-store.ts';
import { updateStore } from './update-store.ts';

/** Both refuse the names that `sandboxDomain` keeps. */
export const storeChanges = (ports: Ports, sandboxDomain: string | null) => ({
  createStore: createStore(ports, sandboxDomain),
  updateStore: updateStore(ports, sandboxDomain),
});
