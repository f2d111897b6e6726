import type { Shape } from './shaped.ts'

/** The bytes of an image or document with their own media type and headers. */
export const image: Shape = (outcome) => {
  if (outcome.form !== 'response' || outcome.answer.form !== 'bytes') {
    throw new Error(`${outcome.operation.id} returned no bytes for a route that requires an image`)
  }
  const { body, media_type, headers } = outcome.answer
  return { status: 200, media_type, headers, body }
}
