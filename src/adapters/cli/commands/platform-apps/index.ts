import { buildRouteMap } from '@stricli/core';

import { applyManifest } from './apply.ts';
import {
  addPlatformApp,
  editPlatformApp,
  rotatePlatformClientSecret,
  rotatePlatformSigningSecret,
  resumePlatformApp,
  suspendPlatformApp,
} from './edit.ts';
import { listInstallations, listPlatformApps } from './list.ts';

export const platformAppCommands = buildRouteMap({
  routes: {
    list: listPlatformApps,
    add: addPlatformApp,
    apply: applyManifest,
    edit: editPlatformApp,
    suspend: suspendPlatformApp,
    resume: resumePlatformApp,
    installations: listInstallations,
    rotateClientSecret: rotatePlatformClientSecret,
    rotateSigningSecret: rotatePlatformSigningSecret,
  },
  docs: { brief: 'Apps that many stores can install' },
});
