import type { ToRepresentation } from './representation.ts'

/** The bytes of an image or document with their own media type and headers. */
export const toImage: ToRepresentation = (result) => {
  if (result.kind !== 'response' || result.response.kind !== 'bytes') {
    throw new Error(`${result.operation.id} returned no bytes for a route that requires an image`)
  }
  const { body, media_type, headers } = result.response
  return { status: 200, media_type, headers, body }
}
