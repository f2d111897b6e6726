import { jsonValueOf, type Representation, type ToRepresentation } from './representation.ts'

const envelop = (data: unknown): Representation => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify({ data, error: null }),
})

/** The rows of a page or list in the envelope of the first generation of clients. */
export const toDataEnvelope: ToRepresentation = (result) =>
  envelop(Object.values(jsonValueOf(result) as object).find((member) => Array.isArray(member)))

/** A single resource in the same envelope. */
export const toDataObjectEnvelope: ToRepresentation = (result) => envelop(jsonValueOf(result))
