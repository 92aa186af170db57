import { PORT_METHODS } from './port-methods.ts';
import type { StoragePorts } from './storage.ts';

/**
 * Throws unless each port is a plain object that has its methods itself. Tenon copies ports and takes methods out of them, so a class
 * or a Proxy would lose its methods, and each method its `this`.
 */
export const requirePlainPorts = (ports: StoragePorts): void => {
  for (const [name, methods] of Object.entries(PORT_METHODS)) {
    const port: object = ports[name as keyof StoragePorts];
    const lost = methods.find((method) => typeof Object.getOwnPropertyDescriptor(port, method)?.value !== 'function');
    if (lost !== undefined) throw new TypeError(`The port ${name} must be a plain object that has the method ${lost} itself.`);
  }
};
