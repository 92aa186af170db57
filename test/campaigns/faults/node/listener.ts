import { once } from 'node:events';
import { createServer } from 'node:net';

// The only process in the network of the database. It opens a socket there for each message, and hands it to the campaign, which accepts
// connections on it like on any other. The network ends with it.

const open = async (): Promise<void> => {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  process.send?.('listening', server, () => server.close());
};

process.on('message', () => void open());
process.on('disconnect', () => process.exit());
process.send?.('ready');
