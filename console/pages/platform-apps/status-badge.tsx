import type { PlatformApp } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';

export const PlatformAppBadge = ({ status }: Pick<PlatformApp, 'status'>) => (
  <Badge tone={status === 'Active' ? 'ok' : 'warn'}>{status}</Badge>
);
