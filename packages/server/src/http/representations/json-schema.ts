import { jsonValueOf, type ToRepresentation } from './representation.ts'

/** The `schema` of the output alone. */
export const toJsonSchema: ToRepresentation = (result) => ({
  status: 200,
  media_type: 'application/schema+json; charset=utf-8',
  headers: {},
  body: JSON.stringify((jsonValueOf(result) as { schema: object }).schema),
})
