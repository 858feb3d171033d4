import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** Measures operations, and traces those of traced requests. */
export type OperationObserver = ReturnType<typeof createOperationObserver>;

/** The names of the operations of a port that return a promise. */
type OperationOf<Port> = {
  [Name in keyof Port]: Port[Name] extends (...inputs: never[]) => Promise<unknown> ? Name : never;
}[keyof Port] &
  string;

/** Creates what measures the parts behind ports. `tracing`: undefined where traces are off, which then cost nothing. */
export function createOperationObserver({ operations }: Pick<Metrics, 'operations'>, tracing?: Tracing) {
  /** Measures one kind of work. */
  function prepare(component: string, operation: string) {
    const observe = operations.bind({ component, operation });
    const name = `${component}.${operation}`;
    return async <T>(work: () => Promise<T>): Promise<T> => {
      const startedAt = performance.now();
      try {
        return await (tracing ? tracing.run(name, work) : work());
      } finally {
        observe((performance.now() - startedAt) / 1000);
      }
    };
  }

  return {
    /** True while traces are on. */
    isTracing: tracing !== undefined,
    prepare,
    /** Returns a port whose named operations are measured. Everything else is that of the port itself. */
    observePort<Port extends object>(component: string, port: Port, names: OperationOf<Port>[]): Port {
      const observed = names.map((name) => {
        const measure = prepare(component, name);
        const operation = (...inputs: unknown[]) =>
          (port[name] as (...inputs: unknown[]) => Promise<unknown>)(...inputs); // as the type of its name says
        return [name, (...inputs: unknown[]) => measure(() => operation(...inputs))] as const;
      });
      const own = Object.create(port) as Port; // which it inherits from
      return Object.assign(own, Object.fromEntries(observed));
    },
  };
}
