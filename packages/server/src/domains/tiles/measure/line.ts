import type { ItemMeasurementSubject } from './item-measurement.ts'
import { listMeasuredValueNames } from './measure-target.ts'
import { readValuesAtPoints, type PointReadOptions, type MeasuredPointValue } from './point.ts'
import type { LinePosition } from './sample-line.ts'

export interface ValuesAlongLine extends Omit<MeasuredPointValue, 'value'> {
  /** Null outside the image and without data. */
  readonly values: (number | null)[]
}

/** The values of the pixels at positions, for each band or for the expression. Throws what `readValuesAtPoints` throws. */
export async function readLineValues(
  measured: ItemMeasurementSubject,
  positions: readonly LinePosition[],
  options: PointReadOptions,
): Promise<ValuesAlongLine[]> {
  const points = await readValuesAtPoints(measured, positions, options)
  const inside = points.find((values) => values !== null)
  return listMeasuredValueNames(measured.target, measured.bands).map((name, at) => ({
    ...name,
    unit: inside?.[at]?.unit ?? null,
    values: points.map((values) => values?.[at]?.value ?? null),
  }))
}
