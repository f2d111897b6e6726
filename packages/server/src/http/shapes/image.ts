import type { Shape } from './shaped.ts'

/** The bytes of a picture or document under their own media type and headers. */
export const image: Shape = (outcome) => {
  if (outcome.form !== 'response' || outcome.answer.form !== 'bytes') {
    throw new Error(`${outcome.operation.id} answers no bytes where a route expects a picture`)
  }
  const { body, media_type, headers } = outcome.answer
  return { status: 200, media_type, headers, body }
}
