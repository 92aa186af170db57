import { buildRouteMap } from '@stricli/core';

import { addPlatformApp } from './add.ts';
import { applyManifest } from './apply.ts';
import { editPlatformApp } from './edit.ts';
import { listInstallations, listPlatformApps } from './list.ts';
import { rotatePlatformClientSecret, rotatePlatformSigningSecret } from './rotate.ts';
import { resumePlatformApp, suspendPlatformApp } from './status.ts';

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
