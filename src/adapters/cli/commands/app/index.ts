import { buildRouteMap } from '@stricli/core';

import { showCalls } from './calls.ts';
import { getApp } from './get.ts';
import { installApp } from './install.ts';
import { listApps } from './list.ts';
import { rotateClientSecret, rotateSigningSecret } from './rotate.ts';
import { resumeApp, suspendApp } from './status.ts';
import { makeToken } from './token.ts';
import { uninstallApp } from './uninstall.ts';
import { updateApp } from './update.ts';

export const appCommands = buildRouteMap({
  routes: {
    list: listApps,
    install: installApp,
    get: getApp,
    calls: showCalls,
    update: updateApp,
    suspend: suspendApp,
    resume: resumeApp,
    uninstall: uninstallApp,
    rotateClientSecret,
    rotateSigningSecret,
    token: makeToken,
  },
  docs: { brief: 'Apps installed on a store' },
});
