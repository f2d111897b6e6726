import { jsonValueOf, type ToRepresentation } from './representation.ts'

/** The only member of the output, for clients that expect it without an envelope. */
export const toOnlyMember: ToRepresentation = (result) => ({
  status: 200,
  media_type: 'application/json; charset=utf-8',
  headers: {},
  body: JSON.stringify(Object.values(jsonValueOf(result) as object)[0]),
})
