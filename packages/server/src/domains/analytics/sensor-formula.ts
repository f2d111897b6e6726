import { findSensorBand, parseExpression, listExpressionBands, RasterFailure, type Expression } from '@swath/raster'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import { findBand } from '../tiles/style/bands.ts'
import { parseRasterField } from '../tiles/failures.ts'
import type { MeasuredExpression } from '../tiles/measure/measure-target.ts'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import type { NamedSensor } from './registry.ts'

/** A formula over the bands of a sensor, checked by its text alone. */
export interface CheckedSensorFormula {
  readonly valid: boolean
  readonly error: string | null
  readonly required_bands: readonly string[]
}

/** Checks the syntax of a formula, and that the sensor has every band that it names. */
export function checkSensorFormula(formula: string, sensor: NamedSensor): CheckedSensorFormula {
  let required_bands: string[] = []
  try {
    required_bands = listExpressionBands(parseExpression(formula))
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    return { valid: false, error: error.message, required_bands }
  }
  const missing = required_bands.filter((name) => findSensorBand(sensor, name) === null)
  const error =
    required_bands.length === 0
      ? 'the formula names no band'
      : missing.length > 0
        ? `${sensor.title} has no band ${missing.map((name) => `"${name.slice(0, 40)}"`).join(', ')}`
        : null
  return { valid: error === null, error, required_bands }
}

/** Parses a formula. Throws `validation` of the field. */
export const parseFormulaField = (formula: string, path: string): Expression =>
  parseRasterField(path, () => parseExpression(formula))

/**
 * Binds a formula over the bands of a sensor to those of a file: by the name or common name of the band in the file, else by
 * the place of the band, if the file has as many bands as the sensor. Throws `validation`: of the field of the formula for a
 * name that is not a band of the sensor, of `cog_url` for a band that the file lacks.
 */
export function bindSensorFormulaToFile(
  formula: string,
  sensor: NamedSensor,
  bands: readonly RasterBandMetadata[],
  path: string,
): MeasuredExpression {
  const expression = parseFormulaField(formula, path)
  const errors: FieldError[] = []
  const names = Object.fromEntries(
    listExpressionBands(expression).map((name) => {
      const at = findSensorBand(sensor, name)
      if (at === null) errors.push({ path, message: `${sensor.title} has no band "${name.slice(0, 40)}"` })
      const found = at === null ? null : findFileBand(sensor, at, bands, name)
      if (at !== null && found === null)
        errors.push({ path: 'cog_url', message: `the file has no band ${sensor.bands[at]!.name} of ${sensor.title}` })
      return [name, found ?? 0]
    }),
  )
  if (errors.length === 0 && Object.keys(names).length === 0) errors.push({ path, message: 'names no band' })
  if (errors.length > 0) throw validationProblem(errors)
  return { expression, names }
}

/** @param written the band as the formula has it, which may be another common name than that of the sensor. */
function findFileBand(
  sensor: NamedSensor,
  at: number,
  bands: readonly RasterBandMetadata[],
  written: string,
): number | null {
  const { name, common_name } = sensor.bands[at]!
  const isNamed = bands.some((band) => band.name !== null || band.common_name !== null)
  for (const candidate of isNamed ? [name, common_name, written] : []) {
    const found = candidate === null ? null : findBandByName(bands, candidate)
    if (found !== null) return found
  }
  const withoutAlpha = bands.filter(({ colour }) => colour !== 'alpha')
  return withoutAlpha.length === sensor.bands.length ? at : null
}

/** Not by a number such as `b4`, which is that of the file and not that of the sensor. */
export const findBandByName = (bands: readonly RasterBandMetadata[], name: string): number | null => {
  const found = findBand(bands, name)
  if (found === null || !/^b[1-9]\d*$/i.test(name)) return found
  return bands[found]!.name?.toLowerCase() === name.toLowerCase() ? found : null
}
