import Type, { type TSchema } from 'typebox'

/** Bytes of one of these media types, sent as the response body, never as JSON. */
export const BytesBody = (mediaTypes: readonly string[]) =>
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: mediaTypes.join(', ') })

export const ImageBytesBody = BytesBody(['image/png', 'image/jpeg', 'image/webp'])

/** Newline-delimited JSON, by the schema of one line. */
export const NdjsonLines = <T extends TSchema>(line: T): T => line
