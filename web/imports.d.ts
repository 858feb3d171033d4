declare module '*.css';

/** The address of the script of a worker. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}

/** Starts a worker whose script is inside the page. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
