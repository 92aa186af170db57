import { buildRouteMap } from '@stricli/core';

import { showCalls } from './calls.ts';
import { rotateClientSecret, rotateSigningSecret, makeToken } from './credentials.ts';
import { installApp, updateApp } from './install.ts';
import { getApp, listApps } from './list.ts';
import { resumeApp, suspendApp, uninstallApp } from './status.ts';

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
