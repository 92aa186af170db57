import { Page } from '../../parts/page.tsx';

export const MediaPage = () => <Page title="Media imports">{null}</Page>;
