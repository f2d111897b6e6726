import { readFields, type InputField, type InputSchema } from '../../../schema-form/schema-fields.ts'
import { analyseTexts } from '../../../texts/analyse.ts'

/** The fields of a process or of a measurement, by how they are entered. */
export interface ProcessFields {
  /** Take one of the chosen items each. */
  readonly item: readonly InputField[]
  /** Take all chosen items; there is at most one. */
  readonly items: InputField | null
  /** Takes the area; there is at most one. */
  readonly area: InputField | null
  /** Needed, or what makes the result. */
  readonly main: readonly InputField[]
  /** Everything else, which has a default. */
  readonly more: readonly InputField[]
}

const isItem = ({ name, kind }: InputField): boolean => kind === 'text' && /(^|_)item(_id)?$/.test(name)
const isItems = ({ name, kind }: InputField): boolean => kind === 'list' && /^items?(_ids)?$/.test(name)
/** Names of optional inputs that are shown at once. */
const prominent: ReadonlySet<string> = new Set(['index_name', 'method', 'period', 'resampling', 'compression', 'title'])

/**
 * Sorts the fields of a schema. If all chosen items are taken, or one is needed, an optional item beside them is an
 * alternative: it is left to those who write it.
 */
export function sortFields(schema: InputSchema): ProcessFields {
  const fields = readFields(schema, {})
  const items = fields.find(isItems) ?? null
  const item = fields.filter((field) => isItem(field) && field.isRequired)
  const area = fields.find(({ kind }) => kind === 'geojson') ?? null
  const placed = new Set<InputField | null>([items, area, ...item])
  const others = fields.filter((field) => !placed.has(field))
  const isMain = ({ isRequired, name }: InputField): boolean => isRequired || prominent.has(name)
  return {
    item,
    items,
    area,
    main: others.filter(isMain),
    more: others.filter((field) => !isMain(field)),
  }
}

/** `asset_key` as people read it. */
export function labelOf(name: string): string {
  const known = analyseTexts.labels[name]
  if (known) return known
  const words = name.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}
