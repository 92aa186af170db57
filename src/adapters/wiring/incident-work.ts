import { sweepIncidents } from '../../application/insight/sweep-incidents.ts';
import { tellIncidents } from '../../application/insight/tell-incidents.ts';
import { openMessenger } from './open-messenger.ts';
import type { Container } from './ports/container.ts';
import { TOKENS } from './ports/tokens.ts';
import type { Config } from './settings/config.ts';

/** The look for incidents, and the messages about them, over the channels that the settings have. */
export const openIncidentWork = (container: Container, config: Config) => {
  const ports = container.resolve(TOKENS.ports);
  const log = container.resolve(TOKENS.log);
  const messenger = openMessenger(ports, config);
  return {
    sweep: sweepIncidents(ports, container.resolve(TOKENS.observations), messenger.channels),
    tell: tellIncidents(ports, messenger, (channel, reason) => {
      log.warn({ channel, reason }, 'A message about incidents was not accepted. It will be sent again.');
    }),
    close: () => messenger.close(),
  };
};
