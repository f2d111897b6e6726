const steps = [1, 2, 2.5, 5, 10]

/** Round values from at or below the lowest to at or above the highest value, about as many as requested. */
export function chartTicks(min: number, max: number, count: number): number[] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  const span = max - min || Math.abs(max) || 1
  const size = 10 ** Math.floor(Math.log10(span / count))
  const step = size * steps.find((candidate) => candidate * size * count >= span)!
  const first = Math.floor(min / step)
  const last = Math.max(first + 1, Math.ceil(max / step))
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}
