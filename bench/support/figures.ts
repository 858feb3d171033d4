/** Repeated measurements of one value. */
export type Figures = { median: number; min: number; max: number };

/** Returns the median, minimum and maximum of measurements: a single one is noise. */
export function figuresOf(measurements: readonly number[]): Figures {
  return {
    median: quantile(measurements, 0.5),
    min: quantile(measurements, 0),
    max: quantile(measurements, 1),
  };
}

/** Returns a quantile of the measurements, interpolated; NaN for no measurements. */
export function quantile(measurements: readonly number[], share: number): number {
  const sorted = [...measurements].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Returns the figures of a single measurement. */
export function single(value: number): Figures {
  return figuresOf([value]);
}
