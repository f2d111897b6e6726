import { toContainsPattern } from '../../platform/database/conditions/like-pattern.ts'

/** The texts of a `q` parameter; null if it has none. */
export function parseFreeText(q: readonly string[] | string | null | undefined): readonly string[] | null {
  const texts = (typeof q === 'string' ? q.split(',') : (q ?? [])).map((text) => text.trim()).filter(Boolean)
  return texts.length === 0 ? null : texts
}

/** A test of whether one of the texts is in one of some fields, in any case. */
export function createFreeTextTest(
  texts: readonly string[],
): (fields: readonly (string | null | undefined)[]) => boolean {
  const folded = texts.map((text) => text.toLowerCase())
  return (fields) =>
    fields.some((field) => {
      const foldedField = field?.toLowerCase()
      return folded.some((text) => foldedField?.includes(text))
    })
}

const fold = (of: unknown): unknown => ({ op: 'casei', args: [of] })

/** The CQL2-JSON condition that an item has one of the texts in its title or description, in any case, or as a keyword. */
export const toFreeTextFilter = (texts: readonly string[]): Readonly<Record<string, unknown>> => ({
  op: 'or',
  args: texts.flatMap((text) => [
    ...['title', 'description'].map((property) => ({
      op: 'like',
      args: [fold({ property }), fold(toContainsPattern(text))],
    })),
    { op: 'a_overlaps', args: [{ property: 'keywords' }, [text]] },
  ]),
})
