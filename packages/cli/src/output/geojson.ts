import { usageFailure } from '../failures.ts'
import { findRows, type Row } from './rows.ts'

/** The output as a feature collection; that of a search is one already. Throws if nothing in it has a position. */
export function toFeatureCollection(output: unknown): object {
  if (typeof output === 'object' && output !== null && 'type' in output) {
    if (output.type === 'FeatureCollection') return output
    if (output.type === 'Feature') return { type: 'FeatureCollection', features: [output] }
  }
  const features = (findRows(output) ?? (isRow(output) ? [output] : [])).flatMap((row) => toFeature(row))
  if (features.length === 0) throw usageFailure('Nothing in the output has a geometry: leave --geojson out.')
  return { type: 'FeatureCollection', features }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

function toFeature(row: Row): object[] {
  if (row['type'] === 'Feature') return [row]
  const { geometry = row['aoi'], ...properties } = row
  return typeof geometry === 'object' && geometry !== null ? [{ type: 'Feature', id: row['id'], geometry, properties }] : [] // prettier-ignore
}
