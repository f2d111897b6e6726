import { jsonTextOf, type ToRepresentation } from './representation.ts'

/** The same document with the GeoJSON media type. */
export const toGeojson: ToRepresentation = (result) => ({
  status: result.kind === 'json' ? result.status : 200,
  media_type: 'application/geo+json; charset=utf-8',
  headers: {},
  body: jsonTextOf(result),
})
