import type { Visualization, VisualizationProfile } from '@swath/client/operations.ts'
import type { Style } from '../state/style.ts'
import { describeBand, findBand, type ViewAsset, type ViewItem } from '../state/view-item.ts'
import { listComposites } from './composites.ts'

/** The query of an item that statistics, points and tiles have in common. */
export interface ReadQuery {
  readonly profile?: string
  readonly bands?: string
  readonly expression?: string
  readonly asset_key?: string
}

/** A style with everything that it leaves open filled in. */
export interface Picture {
  readonly item: ViewItem
  readonly asset: ViewAsset
  readonly query: ReadQuery
  readonly label: string
  /** One value for each pixel, so that it has a colormap; otherwise red, green and blue. */
  readonly isSingle: boolean
  /** Null if the platform stretches from the 2nd to the 98th percentile. */
  readonly range: string | null
  readonly colormap: string | null
  /** 1 leaves the range linear. */
  readonly gamma: number
  /** The members of the style that tile URLs must have: those that the preset does not have. */
  readonly overrides: { readonly rescale?: string; readonly colormap?: string; readonly gamma?: number }
}

type Config = Readonly<Record<string, unknown>>

/** A rendering parameter of a stored profile as text, in whichever form it was stored. */
function readParameter(config: Config, name: 'expression' | 'bands' | 'rescale' | 'colormap'): string | null {
  const value = config[name]
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (name === 'colormap') return JSON.stringify(value)
  if (!Array.isArray(value)) return null
  return value.every(Array.isArray) ? value.map((pair) => (pair as unknown[]).join(',')).join(';') : value.join(',')
}

/** Bands of a list as a person knows them. */
export function describeBands(asset: ViewAsset, bands: string): string[] {
  return bands.split(',').map((text) => {
    const band = findBand(asset.bands, text.trim())
    return band ? describeBand(band) : text.trim()
  })
}

/** Natural colour of reflectances without it is dark: roofs and clouds use the range up, forests and water are near its lower end. */
const natural_gamma = 1.4

interface Preset {
  readonly label: string
  readonly isSingle: boolean
  readonly range: string | null
  readonly colormap: string | null
  readonly gamma?: number
}

const isSingle = (expression: string | null, bands: string | null): boolean =>
  expression !== null || (bands !== null && !bands.includes(','))

const fromProfile = ({ name, config, type }: VisualizationProfile): Preset => {
  const [expression, bands] = [readParameter(config, 'expression'), readParameter(config, 'bands')]
  return {
    label: name,
    isSingle: expression || bands ? isSingle(expression, bands) : type === 'singleband' || type === 'expression',
    range: readParameter(config, 'rescale'),
    colormap: readParameter(config, 'colormap'),
    gamma: typeof config['gamma'] === 'number' ? config['gamma'] : 1,
  }
}

const fromVisualization = ({ label, expression, bands, rescale, colormap }: Visualization): Preset => ({
  label,
  isSingle: isSingle(expression, bands?.join(',') ?? null),
  range: rescale,
  colormap,
})

/** The gamma that the console adds to a preset without one, if nobody chose a range. */
const addedGamma = (visualization: Visualization | undefined, range: string | null, asset: ViewAsset): number | null =>
  visualization?.kind === 'rgb' && asset.isScaled && (range ?? visualization.rescale) === null ? natural_gamma : null

export interface PictureChoices {
  readonly presets: readonly Visualization[]
  readonly profiles: readonly VisualizationProfile[]
}

/**
 * Completes a style without a preset, bands or a formula: with the default profile, else natural colour, else the first
 * common combination of bands, else the default preset.
 */
export function settleStyle(style: Style, { presets, profiles }: PictureChoices, asset: ViewAsset): Style {
  if (style.preset ?? style.bands ?? style.formula) return style
  const profile = profiles.find(({ is_default, asset_key }) => is_default && (asset_key ?? asset.key) === asset.key)
  if (profile) return { ...style, preset: profile.id }
  const preset = presets.find(({ is_default }) => is_default)
  const [composite] = preset?.kind === 'raw' ? listComposites(asset) : []
  return composite ? { ...style, bands: composite.bands } : { ...style, preset: preset?.id ?? 'raw' }
}

/** The gamma of a text if the platform accepts it; null for anything else. */
function readGamma(text: string | null): number | null {
  const gamma = Number(text)
  return text !== null && gamma > 0 && gamma <= 20 ? gamma : null
}

/** Fills in the unset members of a style. Null if the item has no file that can be rendered. */
export function resolvePicture(item: ViewItem, style: Style, choices: PictureChoices): Picture | null {
  const asset = item.assets.find(({ key }) => key === style.asset) ?? item.assets[0]
  if (!asset) return null
  const { formula, bands, preset: id, range, colormap, gamma: gammaText } = settleStyle(style, choices, asset)
  const visualization = choices.presets.find((candidate) => candidate.id === id)
  const gamma = readGamma(gammaText) ?? (formula || bands ? null : addedGamma(visualization, range, asset))
  const overrides = {
    ...(range ? { rescale: range } : {}),
    ...(colormap ? { colormap } : {}),
    ...(gamma === null ? {} : { gamma }),
  }
  const own = { item, asset, range, colormap, gamma: gamma ?? 1, overrides }
  const source = asset === item.assets[0] ? {} : { asset_key: asset.key }
  if (formula) return { ...own, query: { expression: formula, ...source }, label: formula, isSingle: true }
  if (bands) {
    const label = describeBands(asset, bands).join(', ')
    return { ...own, query: { bands, ...source }, label, isSingle: isSingle(null, bands) }
  }
  const profile = choices.profiles.find((candidate) => candidate.id === id)
  const preset = profile ? fromProfile(profile) : visualization ? fromVisualization(visualization) : null
  return {
    ...own,
    query: { profile: id!, ...source },
    label: preset?.label ?? id!,
    isSingle: preset?.isSingle ?? true,
    range: range ?? preset?.range ?? null,
    colormap: colormap ?? preset?.colormap ?? null,
    gamma: gamma ?? preset?.gamma ?? 1,
  }
}

/** The picture as members of a URL. */
export const pictureParameters = ({ query, overrides }: Pick<Picture, 'query' | 'overrides'>): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...query, ...overrides }).map(([name, value]) => [name, String(value)]))

/** The URL of the tiles of a picture, with `{z}`, `{x}` and `{y}`. */
export function tileUrl(picture: Picture, scale: 1 | 2): string {
  const parameters = new URLSearchParams(pictureParameters(picture)).toString()
  const path = `/api/v1/items/${picture.item.id}/tiles/{z}/{x}/{y}${scale === 2 ? '@2x' : ''}.webp`
  return parameters === '' ? path : `${path}?${parameters}`
}
