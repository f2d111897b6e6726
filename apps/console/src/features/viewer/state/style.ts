/** The style of an item that a user chose. Null members are those of the preset, or of the platform. */
export interface Style {
  /** A preset such as `ndvi`, or a saved profile by its id. */
  readonly preset: string | null
  /** Names or numbers of one band or three, separated by commas; excludes a preset and a formula. */
  readonly bands: string | null
  readonly formula: string | null
  /** `0,3000`, one pair for each band. */
  readonly range: string | null
  readonly colormap: string | null
  /** Above 1 brightens the middle of the range. */
  readonly gamma: string | null
  /** Saturation and contrast as a `color_formula` of the platform. */
  readonly tone: string | null
  /** Key of the asset; null is the first raster. */
  readonly asset: string | null
}

export const emptyStyle: Style = {
  preset: null,
  bands: null,
  formula: null,
  range: null,
  colormap: null,
  gamma: null,
  tone: null,
  asset: null,
}

const names = ['preset', 'bands', 'formula', 'range', 'colormap', 'gamma', 'tone', 'asset'] as const

/** Reads a style from the members of a URL that end in `suffix`. */
export function parseStyle(search: Readonly<Record<string, unknown>>, suffix: string): Style {
  const read = (name: string): string | null => {
    const value = search[`${name}${suffix}`]
    return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
  }
  return { preset: read('preset'), bands: read('bands'), formula: read('formula'), range: read('range'), colormap: read('colormap'), gamma: read('gamma'), tone: read('tone'), asset: read('asset') } // prettier-ignore
}

export const formatStyle = (style: Style, suffix: string): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = style[name]
      return value === null ? [] : [[`${name}${suffix}`, value] as const]
    }),
  )

/** A range of values that is stretched over the colours. */
export type ValueRange = readonly [low: number, high: number]

/** `0,3000;0,2500` as pairs; null for anything else. */
export function parseRanges(text: string | null): ValueRange[] | null {
  if (!text) return null
  const pairs = text.split(';').map((pair) => pair.split(',').map(Number))
  const isValid = pairs.every((pair) => pair.length === 2 && pair.every(Number.isFinite))
  return isValid ? pairs.map(([low, high]) => [low!, high!]) : null
}

/** Six digits: more than a screen can show, and short in a URL. */
export const formatRanges = (ranges: readonly ValueRange[]): string =>
  ranges.map((pair) => pair.map((value) => Number(value.toPrecision(6))).join(',')).join(';')

/** The same picture of another item, which has other files. */
export const pictureOnly = (style: Style): Style => ({ ...style, asset: null })
