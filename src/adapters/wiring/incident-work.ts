import type { InsightJobSettings } from '../../application/insight/jobs.ts';
import type { Messenger } from '../../application/insight/tell-incidents.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { createIncidentMessenger } from '../outgoing/incidents/incident-messenger.ts';
import type { Container } from './ports/container.ts';
import { TOKENS } from './ports/tokens.ts';
import type { Config } from './settings/config.ts';

/** The channels for messages about incidents that the settings have. */
const openMessenger = (
  { webhookSender, clock, ids, secrets }: Pick<Ports, 'webhookSender' | 'clock' | 'ids' | 'secrets'>,
  config: Config,
): Messenger => {
  const { INCIDENT_WEBHOOK_URL: url, INCIDENT_WEBHOOK_SECRET: secret, INCIDENT_SLACK_URL: slackUrl = null } = config;
  const { INCIDENT_SMTP_URL: smtpUrl, INCIDENT_MAIL_FROM: from, INCIDENT_MAIL_TO: to = [] } = config;
  const mail = smtpUrl === undefined || from === undefined || to.length === 0 ? null : { smtpUrl, from, to };
  const webhook = url === undefined || secret === undefined ? null : { url, secret };
  return createIncidentMessenger({ sender: webhookSender, clock, ids, secrets, webhook, slackUrl, mail });
};

/** Opens the messenger for incidents, which the caller closes. */
export const openIncidentWork = (container: Container, config: Config): InsightJobSettings => {
  const log = container.resolve(TOKENS.log);
  return {
    observations: container.resolve(TOKENS.observations),
    messenger: openMessenger(container.resolve(TOKENS.ports), config),
    onNotTold: (channel, reason) => {
      log.warn({ channel, reason }, 'A message about incidents was not accepted. It will be sent again.');
    },
  };
};
