import { buildRouteMap } from '@stricli/core';

import { listProfiles } from './list.ts';
import { removeProfile } from './remove.ts';
import { saveProfile } from './save.ts';

export const profileCommands = buildRouteMap({
  routes: { list: listProfiles, save: saveProfile, remove: removeProfile },
  docs: { brief: 'Saved server addresses and tokens' },
});
