import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

// Loaded by a server before its own code, to show that the campaign of hostile input notices what it looks for.

const STALL = 'GET /apps/webhooks/subscriptions';
const STALL_MS = 400;
const MEMORY = 'GET /apps/media/imports/';
const MEMORY_BYTES = 150_000_000;
const HELD_MS = 300;

const cell = new Int32Array(new SharedArrayBuffer(4));

subscribe('http.server.request.start', (message) => {
  const { method = '', url = '' } = (message as { readonly request: IncomingMessage }).request;
  const asked = `${method} ${url}`;
  // Without the processor, as a synchronous call into the system would.
  if (asked.startsWith(STALL)) Atomics.wait(cell, 0, 0, STALL_MS);
  if (!asked.startsWith(MEMORY)) return;
  const held = Buffer.alloc(MEMORY_BYTES, 1);
  setTimeout(() => held.fill(0, 0, 1), HELD_MS);
});
