const brand = Symbol('operation-response')

interface BrandedResponse {
  readonly [brand]: true
}

/** Bytes of one media type, such as a tile. */
export interface BytesResponse extends BrandedResponse {
  readonly kind: 'bytes'
  readonly body: Uint8Array
  readonly media_type: string
  readonly headers: Readonly<Record<string, string>>
}

/** Newline-delimited JSON: one value per line, sent as it is produced. */
export interface NdjsonResponse extends BrandedResponse {
  readonly kind: 'ndjson'
  readonly values: AsyncIterable<unknown>
}

/** Text of one media type, sent as it is produced, such as a CSV of any length. */
export interface TextResponse extends BrandedResponse {
  readonly kind: 'text'
  readonly chunks: AsyncIterable<string>
  readonly media_type: string
}

/** A JSON document that is serialized already, such as a long list. */
export interface SerializedJson extends BrandedResponse {
  readonly kind: 'serialized-json'
  /** Produced lazily, in order; more than one chunk if the document is large. */
  readonly chunks: TextChunks
  /**
   * The same document with only the first entry of its list, or none if they were validated when they were serialized.
   * It is validated against the output schema.
   */
  readonly sample: string
}

/** A text in chunks; can be iterated more than once. */
export interface TextChunks extends Iterable<string> {
  /** Approximate total length in characters. */
  readonly length: number
}

/**
 * Serialized list entries: one string joined with `serializedEntrySeparator` for a short list, whose entries were validated when they
 * were serialized; one string per entry for a long one.
 */
export type SerializedEntries =
  | string
  | { readonly texts: readonly string[]; readonly turn?: (entry: string) => string }

/** Each entry as it is sent to the client. */
export function splitSerializedEntries(entries: SerializedEntries): readonly string[] {
  if (typeof entries === 'string') return entries === '' ? [] : entries.split(serializedEntrySeparator)
  return entries.turn ? entries.texts.map(entries.turn) : entries.texts
}

/** The response of an operation if it is not a plain JSON value. */
export type OperationResponse = BytesResponse | NdjsonResponse | TextResponse | SerializedJson

export const createBytesResponse = (
  body: Uint8Array,
  media_type: string,
  headers: Readonly<Record<string, string>> = {},
): BytesResponse => ({ [brand]: true, kind: 'bytes', body, media_type, headers })

export const createNdjsonResponse = (values: AsyncIterable<unknown>): NdjsonResponse => ({
  [brand]: true,
  kind: 'ndjson',
  values: values,
})

export const createTextResponse = (chunks: AsyncIterable<string>, media_type: string): TextResponse => ({
  [brand]: true,
  kind: 'text',
  chunks,
  media_type,
})

/** Separates serialized entries. Serialized JSON has no raw line break inside a value, so it occurs nowhere else. */
export const serializedEntrySeparator = ',\n'

/** The text of a document that is a single chunk; null if it has several. */
export const getSingleChunkText = ({ chunks }: SerializedJson): string | null =>
  Array.isArray(chunks) ? chunks[0] : null

/** A serialized document that contains a list: the text before the list, its entries, and the text after it. */
export function createSerializedJson(before: string, entries: SerializedEntries, after: string): SerializedJson {
  const common = { [brand]: true, kind: 'serialized-json' } as const
  if (typeof entries === 'string') {
    return { ...common, chunks: [before + entries + after], sample: before + after }
  }
  const { texts, turn: transform = (entry) => entry } = entries
  const chunks = {
    length: texts.reduce((sum, entry) => sum + entry.length, 0),
    *[Symbol.iterator]() {
      yield before
      for (const [index, entry] of texts.entries())
        yield index === 0 ? transform(entry) : serializedEntrySeparator + transform(entry)
      yield after
    },
  }
  return { ...common, chunks, sample: before + texts.slice(0, 1).map(transform).join('') + after }
}

export const isOperationResponse = (value: unknown): value is OperationResponse =>
  typeof value === 'object' && value !== null && brand in value
