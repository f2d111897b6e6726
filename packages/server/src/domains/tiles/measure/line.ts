import { Problem } from '../../../engine/problem.ts'
import type { ItemMeasurementSubject } from './item-measurement.ts'
import { listMeasuredValueNames } from './measure-target.ts'
import { readPointValues, type PointReadOptions, type MeasuredPointValue } from './point.ts'
import type { LinePosition } from './sample-line.ts'

/** Points that are read at one time, so that a line does not take every worker from other calls. */
const concurrent_points = 4

export interface ValuesAlongLine extends Omit<MeasuredPointValue, 'value'> {
  /** Null outside the image and without data. */
  readonly values: (number | null)[]
}

/** The values of the pixels at positions, for each band or for the expression. Throws what `readPointValues` throws. */
export async function readLineValues(
  measured: ItemMeasurementSubject,
  positions: readonly LinePosition[],
  options: Omit<PointReadOptions, 'lon' | 'lat'>,
): Promise<ValuesAlongLine[]> {
  const points: (MeasuredPointValue[] | null)[] = []
  for (let at = 0; at < positions.length; at += concurrent_points) {
    const batch = positions.slice(at, at + concurrent_points)
    points.push(...(await Promise.all(batch.map(({ lon, lat }) => readInside(measured, { ...options, lon, lat })))))
  }
  const inside = points.find((values) => values !== null)
  return listMeasuredValueNames(measured.target, measured.bands).map((name, at) => ({
    ...name,
    unit: inside?.[at]?.unit ?? null,
    values: points.map((values) => values?.[at]?.value ?? null),
  }))
}

/** The values at a point; null outside the image. */
async function readInside(
  measured: ItemMeasurementSubject,
  options: PointReadOptions,
): Promise<MeasuredPointValue[] | null> {
  try {
    return await readPointValues(measured, options)
  } catch (error) {
    if (error instanceof Problem && error.problem === 'validation') return null
    throw error
  }
}
