/**
 * The status of installation `i`, which may be outer-joined. It is Suspended also while the app of many stores is, or
 * where this server does not have that app. Of an app of one store nothing else is read.
 */
export const statusOf = (i: string): string =>
  `CASE WHEN ${i}.status = 'Installed' AND platform_app_refusal(${i}.app_id, 'infinity') IS NOT NULL THEN 'Suspended' ELSE ${i}.status END`;
