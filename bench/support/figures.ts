/** Several measurements of one thing. */
export type Figures = { median: number; min: number; max: number };

/** The middle, the least and the greatest of measurements; machines are noisy, so none stands alone. */
export function figuresOf(measurements: readonly number[]): Figures {
  return {
    median: quantile(measurements, 0.5),
    min: quantile(measurements, 0),
    max: quantile(measurements, 1),
  };
}

/** The value below which a share of the measurements lies, between two of them where none stands there. */
export function quantile(measurements: readonly number[], share: number): number {
  const sorted = [...measurements].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** A figure that was taken once. */
export function single(value: number): Figures {
  return figuresOf([value]);
}
