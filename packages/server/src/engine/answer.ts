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
  /** One after the other, made as they are asked for; more than one where the document is large. */
  readonly pieces: Pieces
  /** The same document with the first entry of its list alone: that much of it is checked against the contract. */
  readonly sample: string
}

/** A text in pieces, as often as it is asked for. */
export interface Pieces extends Iterable<string> {
  /** Characters of all, about. */
  readonly length: number
}

/** The entries of a list, written: a short list as one text with `entryEnd` between them, a long one as a text each. */
export type Entries = string | { readonly texts: readonly string[]; readonly turn?: (text: string) => string }

/** Each entry as it is sent. */
export function textsOf(entries: Entries): readonly string[] {
  if (typeof entries === 'string') return entries === '' ? [] : entries.split(entryEnd)
  return entries.turn ? entries.texts.map(entries.turn) : entries.texts
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

/** The one text of a document in pieces that is short; null for a long one. */
export const onlyPiece = ({ pieces }: WrittenAnswer): string | null => (Array.isArray(pieces) ? pieces[0] : null)

/** A document with a list in it: what stands before the list, its entries with `entryEnd` between them, and what follows. */
export function written(before: string, entries: Entries, after: string): WrittenAnswer {
  const shared = { [brand]: true, form: 'written' } as const
  if (typeof entries === 'string') {
    const end = entries.indexOf(entryEnd)
    const first = end < 0 ? entries : entries.slice(0, end)
    return { ...shared, pieces: [before + entries + after], sample: before + first + after }
  }
  const { texts, turn = (text) => text } = entries
  const pieces = {
    length: texts.reduce((sum, text) => sum + text.length, 0),
    *[Symbol.iterator]() {
      yield before
      for (const [index, text] of texts.entries()) yield index === 0 ? turn(text) : entryEnd + turn(text)
      yield after
    },
  }
  return { ...shared, pieces, sample: before + texts.slice(0, 1).map(turn).join('') + after }
}

export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && brand in value
