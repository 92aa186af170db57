import { Page } from '../../parts/page.tsx';

export const ProofPage = () => <Page title="Proof">{null}</Page>;
