import { Page } from '../../parts/page.tsx';

export const KeysPage = () => <Page title="Idempotency keys">{null}</Page>;
