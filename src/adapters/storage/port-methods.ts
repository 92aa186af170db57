import type { TransactionPorts } from '../../domain/ports/transaction.ts';
import type { StoragePorts } from './storage.ts';

type Names<Ports> = { readonly [Name in keyof Ports]: readonly (keyof Ports[Name])[] };

/** Methods of the ports that a list leaves out. */
type LeftOut<Ports, Listed extends Names<Ports>> = {
  [Name in keyof Ports]: Exclude<keyof Ports[Name], Listed[Name][number]>;
}[keyof Ports];

/** The list, if it has every method. */
type Complete<Ports, Listed extends Names<Ports>> = [LeftOut<Ports, Listed>] extends [never]
  ? Names<Ports>
  : LeftOut<Ports, Listed>;

const STORED = {
  admission: ['authenticate', 'authenticateSession'],
  appConsoleSessions: ['start', 'createCode', 'lookAtCode', 'exchange', 'end', 'purge'],
  appLife: ['record'],
  auditLog: ['append', 'list', 'countRefused', 'purge'],
  backlog: ['read', 'readOf', 'readOne'],
  collectionReader: ['page'],
  consoleSessions: [
    'start',
    'useOnce',
    'startOnce',
    'createCode',
    'lookAtCode',
    'exchange',
    'use',
    'look',
    'list',
    'end',
    'endById',
    'purge',
  ],
  deliveries: [
    'fanOut',
    'target',
    'due',
    'first',
    'settle',
    'nextDueSeconds',
    'storesToFanOut',
    'subscriptionsToWake',
    'queuedSubscriptions',
    'endQueued',
    'expireHeld',
    'purge',
    'figures',
  ],
  deliveryLog: [
    'list',
    'get',
    'answers',
    'failedSince',
    'redeliver',
    'redeliverFailed',
    'ping',
    'unsent',
    'gatheredInto',
    'countMatching',
  ],
  developerSessions: ['start', 'createCode', 'lookAtCode', 'exchange', 'use', 'end', 'purge'],
  eventFeed: ['read', 'readNewest', 'latest', 'newest', 'get', 'purge'],
  feedSignal: ['announce', 'watch', 'endWatches', 'close'],
  figures: ['read', 'readOf', 'addCalls', 'callsOf', 'recentRefusals', 'condense', 'purge'],
  finder: ['find'],
  idempotency: ['find', 'purge'],
  incidentNotices: ['take', 'sent'],
  incidentSignals: ['read'],
  incidents: ['open', 'begin', 'see', 'end', 'record', 'list', 'purge'],
  installRequests: ['get', 'isDecided', 'accept', 'refuse', 'purge'],
  installations: [
    'create',
    'get',
    'list',
    'update',
    'rotateClientSecret',
    'rotateSigningSecret',
    'purgeSigningSecrets',
    'signingSecrets',
    'credentials',
    'previewUninstall',
  ],
  invariants: ['check'],
  keyLog: ['get', 'count', 'purge'],
  locator: ['storeOf'],
  mediaFiles: ['announce', 'unused', 'free'],
  mediaImportLog: ['list', 'failed', 'get'],
  mediaImports: ['get', 'begin', 'requeue', 'postpone', 'toRun', 'purge', 'open'],
  metaobjects: ['list', 'listOwn', 'find'],
  operatorTokens: ['issue', 'list', 'revoke', 'authenticate'],
  operators: ['create', 'get', 'withEmail', 'list', 'update', 'end'],
  platformApps: [
    'create',
    'get',
    'byClientId',
    'secrets',
    'list',
    'update',
    'rotateClientSecret',
    'rotateSigningSecret',
    'purgeSigningSecrets',
    'installations',
    'watch',
    'deactivatedAddresses',
    'onStore',
    'beyondManifest',
  ],
  processes: ['beat', 'list', 'leave'],
  productExporter: ['page'],
  productImports: ['begin', 'see', 'end', 'list', 'giveUp', 'purge'],
  productReader: ['list', 'detail', 'documents'],
  redeliveries: ['count', 'add', 'get', 'next', 'open', 'purge'],
  repairs: ['repair'],
  requestLog: ['write', 'list', 'groups', 'get', 'purge'],
  sandboxRecords: ['count'],
  signInMethods: ['add', 'list', 'passkeys', 'find', 'use', 'remove'],
  storeErasure: ['accept', 'open', 'eraseRows', 'files', 'forget'],
  stores: ['create', 'createSandbox', 'sandboxes', 'get', 'atDomain', 'list', 'update'],
  subscriptionChanges: ['replace', 'edit', 'pause', 'resume', 'reactivate'],
  subscriptions: ['create', 'list', 'watch', 'troubled', 'delete', 'find'],
  tokens: ['issue', 'revokeAll', 'purge'],
  transaction: ['run', 'runClaimed'],
  variantReader: ['find'],
  warehouseReader: ['page'],
  workLeases: ['acquire', 'close'],
} as const satisfies Names<StoragePorts>;

const IN_TRANSACTIONS = {
  bulkProducts: ['lock', 'claimSlugs', 'categories', 'update'],
  bulkVariants: ['lock', 'update'],
  categories: ['find', 'save', 'lockUse', 'detach', 'remove'],
  collections: ['get', 'idByHandle', 'missing', 'save', 'remove'],
  events: ['append'],
  idempotency: ['lock', 'reset', 'remember'],
  installations: ['share', 'uninstall'],
  mediaFiles: ['keep'],
  mediaImports: ['create', 'lockOpen', 'settle', 'endAll'],
  metaobjects: [
    'shareDefinition',
    'lockDefinition',
    'putDefinition',
    'entriesAfter',
    'existing',
    'putEntry',
    'lockEntry',
    'deleteEntry',
  ],
  products: [
    'lockCatalogue',
    'idsBySlug',
    'idsByFormerSlug',
    'haveFormerSlugs',
    'variantsOf',
    'lock',
    'tagOf',
    'save',
    'insert',
    'addMedia',
    'remove',
  ],
  sandboxRoom: ['forEntries', 'forImages'],
  taxClasses: ['find', 'save'],
  warehouses: ['list', 'save', 'remove'],
} as const satisfies Names<TransactionPorts>;

/** Every method of the ports of a storage. One that is left out does not compile. */
export const PORT_METHODS: Names<StoragePorts> = STORED satisfies Complete<StoragePorts, typeof STORED>;

/** Every method of the ports that are bound to a transaction. */
export const TRANSACTION_METHODS: Names<TransactionPorts> = IN_TRANSACTIONS satisfies Complete<
  TransactionPorts,
  typeof IN_TRANSACTIONS
>;
