const brand = Symbol('operation-response')

interface Branded {
  readonly [brand]: true
}

/** Bytes of one media type, such as a tile. */
export interface BytesAnswer extends Branded {
  readonly form: 'bytes'
  readonly body: Uint8Array
  readonly media_type: string
  readonly headers: Readonly<Record<string, string>>
}

/** Newline-delimited JSON: one value per line, sent as it is produced. */
export interface LinesAnswer extends Branded {
  readonly form: 'ndjson'
  readonly lines: AsyncIterable<unknown>
}

/** Text of one media type, sent as it is produced, such as a CSV of any length. */
export interface TextAnswer extends Branded {
  readonly form: 'text'
  readonly pieces: AsyncIterable<string>
  readonly media_type: string
}

/** A JSON document that is serialized already, such as a long list. */
export interface WrittenAnswer extends Branded {
  readonly form: 'serialized-json'
  /** Produced lazily, in order; more than one chunk if the document is large. */
  readonly pieces: Pieces
  /** The same document with only the first entry of its list: this is what is validated against the output schema. */
  readonly sample: string
}

/** A text in chunks; can be iterated more than once. */
export interface Pieces extends Iterable<string> {
  /** Approximate total length in characters. */
  readonly length: number
}

/** Serialized list entries: one string joined with `entrySeparator` for a short list, one string per entry for a long one. */
export type Entries = string | { readonly texts: readonly string[]; readonly turn?: (entry: string) => string }

/** Each entry as it is sent to the client. */
export function textsOf(entries: Entries): readonly string[] {
  if (typeof entries === 'string') return entries === '' ? [] : entries.split(entryEnd)
  return entries.turn ? entries.texts.map(entries.turn) : entries.texts
}

/** What an operation returns if it is not a plain JSON value. */
export type Answer = BytesAnswer | LinesAnswer | TextAnswer | WrittenAnswer

export const bytes = (
  body: Uint8Array,
  media_type: string,
  headers: Readonly<Record<string, string>> = {},
): BytesAnswer => ({ [brand]: true, form: 'bytes', body, media_type, headers })

export const lines = (values: AsyncIterable<unknown>): LinesAnswer => ({ [brand]: true, form: 'ndjson', lines: values })

export const text = (pieces: AsyncIterable<string>, media_type: string): TextAnswer => ({
  [brand]: true,
  form: 'text',
  pieces,
  media_type,
})

/** Separates serialized entries. Serialized JSON has no raw line break inside a value, so it occurs nowhere else. */
export const entryEnd = ',\n'

/** The text of a document that is a single chunk; null if it has several. */
export const onlyPiece = ({ pieces }: WrittenAnswer): string | null => (Array.isArray(pieces) ? pieces[0] : null)

/** A serialized document that contains a list: the text before the list, its entries, and the text after it. */
export function written(before: string, entries: Entries, after: string): WrittenAnswer {
  const shared = { [brand]: true, form: 'serialized-json' } as const
  if (typeof entries === 'string') {
    const end = entries.indexOf(entryEnd)
    const first = end < 0 ? entries : entries.slice(0, end)
    return { ...shared, pieces: [before + entries + after], sample: before + first + after }
  }
  const { texts, turn = (entry) => entry } = entries
  const pieces = {
    length: texts.reduce((sum, entry) => sum + entry.length, 0),
    *[Symbol.iterator]() {
      yield before
      for (const [index, entry] of texts.entries()) yield index === 0 ? turn(entry) : entryEnd + turn(entry)
      yield after
    },
  }
  return { ...shared, pieces, sample: before + texts.slice(0, 1).map(turn).join('') + after }
}

export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && brand in value
