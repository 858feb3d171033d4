/** Several measurements of one thing. */
export type Figures = { median: number; min: number; max: number };

/** The middle, the least and the greatest of measurements; machines are noisy, so none stands alone. */
export function figuresOf(measurements: readonly number[]): Figures {
  const sorted = [...measurements].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}
