import { textOf, type Shape } from './shaped.ts'

/** The same document with the GeoJSON media type. */
export const geojson: Shape = (outcome) => ({
  status: outcome.form === 'json' ? outcome.status : 200,
  media_type: 'application/geo+json; charset=utf-8',
  headers: {},
  body: textOf(outcome),
})
