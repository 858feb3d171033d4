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

/** The checks of the lines of an export, see `compile-line-checks.ts`. */
declare module 'virtual:line-checks' {
  type Check = (line: unknown) => boolean;
  export const head: Check;
  export const attempt: Check;
  export const change: Check;
}

/** See `compile-sha256.ts`. */
declare module 'virtual:sha256' {
  export const START: readonly number[];
  export function compress(state: Int32Array, view: DataView, position: number): void;
}
