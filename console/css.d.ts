// esbuild bundles what is imported so.
declare module '*.css';
