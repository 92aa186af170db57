import { Page } from '../../parts/page.tsx';

export const TryPage = () => <Page title="Try it">{null}</Page>;
