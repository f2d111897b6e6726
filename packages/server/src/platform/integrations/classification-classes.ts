/** A value of a classification, as the STAC extension describes it. */
export interface RasterClass {
  readonly value: number
  readonly name: string | null
  /** `#rrggbb`. */
  readonly color: string
}

const max_classes = 256
const max_name_characters = 200

/** Colours that are told apart, for classes without any: those of Tableau, the strong ones first. */
const distinctColours = [
  '#1f77b4',
  '#ff7f0e',
  '#2ca02c',
  '#d62728',
  '#9467bd',
  '#8c564b',
  '#e377c2',
  '#bcbd22',
  '#17becf',
  '#7f7f7f',
  '#aec7e8',
  '#ffbb78',
  '#98df8a',
  '#ff9896',
  '#c5b0d5',
  '#c49c94',
  '#f7b6d2',
  '#dbdb8d',
  '#9edae5',
  '#c7c7c7',
] as const

/** The colour of a class by its place among the others. */
export const chooseClassColour = (at: number): string => distinctColours[at % distinctColours.length]!

/**
 * Reads `classification:classes` of a STAC asset or band, in any version of the extension. Classes without a colour get
 * distinct ones. Null without any class that can be read.
 */
export function readClassificationClasses(value: unknown): RasterClass[] | null {
  if (!Array.isArray(value)) return null
  const read = value.slice(0, max_classes).flatMap((one: unknown, at): RasterClass[] => {
    if (typeof one !== 'object' || one === null) return []
    const members = one as Readonly<Record<string, unknown>>
    const { value: sample } = members
    if (typeof sample !== 'number' || !Number.isFinite(sample)) return []
    const hint = /^#?([0-9a-f]{6})$/i.exec(firstText(members['color_hint'], members['color-hint']) ?? '')?.[1]
    const name = firstText(members['title'], members['description'], members['name'])
    const color = hint ? `#${hint.toLowerCase()}` : chooseClassColour(at)
    return [{ value: sample, name: name?.slice(0, max_name_characters) ?? null, color }]
  })
  return read.length > 0 ? read : null
}

const firstText = (...values: unknown[]): string | undefined =>
  values.find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined
