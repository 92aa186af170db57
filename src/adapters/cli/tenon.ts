import { buildApplication, buildRouteMap, help, text_en, version } from '@stricli/core';

import { appCommands } from './commands/app/index.ts';
import { completionCommands } from './commands/completion.ts';
import { listenCommand } from './commands/listen/index.ts';
import { productCommands } from './commands/products/index.ts';
import { serverCommands } from './commands/server/index.ts';
import { showAudit } from './commands/insight/audit.ts';
import { operatorCommands } from './commands/operators/index.ts';
import { platformAppCommands } from './commands/platform-apps/index.ts';
import { storeCommands } from './commands/store/index.ts';
import { deliveryCommands } from './commands/deliveries/index.ts';
import { eventCommands } from './commands/events/index.ts';
import { listIncidents } from './commands/insight/incidents.ts';
import { showAttention } from './commands/insight/attention.ts';
import { searchStore } from './commands/insight/search.ts';
import { showStats } from './commands/insight/stats.ts';
import { openConsole } from './commands/open.ts';
import { profileCommands } from './commands/profile/index.ts';
import { requestCommands } from './commands/requests/index.ts';
import { shardCommands } from './commands/shards/index.ts';
import { subscriptionCommands } from './commands/subscriptions/index.ts';
import { verify } from './commands/verify.ts';
import { warehouseCommands } from './commands/warehouses/index.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { plain } from './output/style.ts';
import { OutdatedVersion, StartFailure, UnknownStore } from '../startup/start-failure.ts';
import { USAGE_TEXT } from './usage.ts';
import { VERSION } from '../startup/version.ts';

/** A problem that the person can solve is one line. Anything else is a bug, and its stack helps. */
const reported = (error: unknown): string => {
  if (error instanceof CommandFailure || error instanceof StartFailure) {
    return `tenon: ${error.message.split('\n').map(plain).join('\n')}`;
  }
  return `tenon: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
};

const statusOf = (error: unknown): number => {
  if (error instanceof OutdatedVersion) return EXIT.outdated;
  if (error instanceof UnknownStore) return EXIT.notFound;
  return error instanceof CommandFailure ? error.status : EXIT.failed;
};

export const root = buildRouteMap({
  routes: {
    ...serverCommands,
    shards: shardCommands,
    attention: showAttention,
    incidents: listIncidents,
    stats: showStats,
    search: searchStore,
    verify,
    store: storeCommands,
    products: productCommands,
    warehouses: warehouseCommands,
    listen: listenCommand,
    app: appCommands,
    platformApps: platformAppCommands,
    events: eventCommands,
    deliveries: deliveryCommands,
    subscriptions: subscriptionCommands,
    requests: requestCommands,
    operators: operatorCommands,
    audit: showAudit,
    open: openConsole,
    profile: profileCommands,
    completion: completionCommands,
  },
  docs: {
    brief: 'Let apps work on your shop, safely',
    fullDescription:
      'Tenon lets apps work on your shop: tokens, bulk writes, signed webhooks and instant uninstall.\n\n' +
      'Start a server with `tenon start`. The other commands call its admin API. On the machine of the server, they need no settings; ' +
      'elsewhere set TENON_ADMIN_URL and TENON_ADMIN_TOKEN.',
  },
});

/** The command `tenon` with all that it can do: help, completion and docs/command-line.md are made from it. */
export const tenon = buildApplication(
  root,
  {
    name: 'tenon',
    scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
    localization: { text: { ...text_en, ...USAGE_TEXT, exceptionWhileRunningCommand: reported, commandErrorResult: reported } },
    determineExitCode: statusOf,
  },
  {
    help: help({
      brief: 'Show this help',
      defaultForRouteMap: true,
      formatting: { caseStyle: 'convert-camel-to-kebab', onlyRequiredInUsageLine: true, useAliasInUsageLine: false },
    }),
    version: version({ brief: 'Show the version', info: { currentVersion: VERSION } }),
  },
);
