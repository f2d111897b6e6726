import { jsonValueOf, type ToRepresentation } from './representation.ts'

/** The content of a page in the envelope of the first generation of clients. */
export const toDataEnvelope: ToRepresentation = (result) => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify({ data: (jsonValueOf(result) as { content: readonly unknown[] }).content, error: null }),
})
