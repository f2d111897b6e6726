import Type, { type Static } from 'typebox'
import type { HostEula } from '../imagery-host.ts'

const strict = { additionalProperties: false }
const max_text_length = 500_000
export const CalendarDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const DocumentEntry = Type.Object(
  {
    version: Type.String({ minLength: 1, maxLength: 100 }),
    valid_from: CalendarDate,
    language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: max_text_length })),
    /** The media type of `text`. */
    media_type: Type.Optional(Type.Enum(['text/plain', 'text/markdown'])),
    /** A page with the text, instead of `text`. */
    url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2000 })),
  },
  strict,
)

/** A licence agreement in the file of hosts. */
export const HostEulaConfigEntry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
    title: Type.String({ minLength: 1, maxLength: 300 }),
    documents: Type.Array(DocumentEntry, { minItems: 1 }),
  },
  strict,
)

export type HostEulaConfigEntry = Static<typeof HostEulaConfigEntry>
type DocumentEntry = Static<typeof DocumentEntry>

/** False for a date that no calendar has, such as 30 February. */
export function isCalendarDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

/** The first mistake in the agreements of a host that the schema cannot find, as a clause; null if there is none. */
export function findEulaEntryError(
  eulas: readonly HostEulaConfigEntry[],
  offers: { readonly field: string; readonly names: readonly (string | undefined)[] },
  hostEula: string | undefined,
): string | null {
  const names = eulas.map(({ name }) => name)
  const repeated = findRepeated(names)
  if (repeated !== null) return `field "eulas", has two agreements with the name "${repeated}"`
  for (const [index, { documents }] of eulas.entries()) {
    const mistake = findDocumentMistake(documents, `eulas.${index}.documents`)
    if (mistake !== null) return mistake
  }
  const references = [
    { field: 'eula', name: hostEula },
    ...offers.names.map((name, index) => ({ field: `${offers.field}.${index}.eula`, name })),
  ]
  const unknown = references.find(({ name }) => name !== undefined && !names.includes(name))
  return unknown ? `field "${unknown.field}", names the agreement "${unknown.name}", which is not in "eulas"` : null
}

function findDocumentMistake(documents: readonly DocumentEntry[], field: string): string | null {
  for (const [index, { valid_from, text, url, media_type }] of documents.entries()) {
    const at = `field "${field}.${index}`
    if (!isCalendarDate(valid_from)) return `${at}.valid_from", is a date that does not exist`
    if ((text === undefined) === (url === undefined)) return `${at}", needs either a text or a url`
    if (url !== undefined && media_type !== undefined) return `${at}.media_type", is that of a text, not of a url`
  }
  const version = findRepeated(documents.map((document) => document.version))
  if (version !== null) return `field "${field}", has two documents of the version "${version}"`
  const date = findRepeated(documents.map(({ valid_from }) => valid_from))
  return date === null ? null : `field "${field}", has two documents that are valid from ${date}`
}

const findRepeated = (values: readonly string[]): string | null =>
  values.find((value, index) => values.indexOf(value) !== index) ?? null

export const toHostEula = ({ name, title, documents }: HostEulaConfigEntry): HostEula => ({
  name,
  title,
  documents: documents.map(({ version, valid_from, language, text, media_type, url }) => ({
    version,
    valid_from: new Date(`${valid_from}T00:00:00Z`),
    language: language ?? 'en',
    media_type: text === undefined ? 'text/uri-list' : (media_type ?? 'text/plain'),
    content: text ?? url ?? '',
  })),
})
