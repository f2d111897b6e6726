const brand = Symbol('answer')

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

/** Newline-delimited JSON: one value a line, sent as it comes. */
export interface LinesAnswer extends Branded {
  readonly form: 'ndjson'
  readonly lines: AsyncIterable<unknown>
}

/** Text of one media type, sent as it comes, such as a table of any length. */
export interface TextAnswer extends Branded {
  readonly form: 'text'
  readonly pieces: AsyncIterable<string>
  readonly media_type: string
}

/** One JSON document that was written as text, such as a long list. */
export interface WrittenAnswer extends Branded {
  readonly form: 'written'
  readonly text: string
  /** The same document with the first entry of its list alone: that much of it is checked against the contract. */
  readonly sample: string
}

/** What an operation answers when it is not a plain JSON value. */
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

/** Ends an entry of a written list. JSON has no line break within a value, so it is nowhere else. */
export const entryEnd = ',\n'

/** A document with a list in it: what stands before the list, its entries with `entryEnd` between them, and what follows. */
export const written = (before: string, entries: string, after: string): WrittenAnswer => {
  const end = entries.indexOf(entryEnd)
  const first = end < 0 ? entries : entries.slice(0, end)
  return { [brand]: true, form: 'written', text: before + entries + after, sample: before + first + after }
}

export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && brand in value
