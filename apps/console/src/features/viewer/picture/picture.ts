import type { OutputOf, Visualization, VisualizationProfile } from '@swath/client/operations.ts'
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
  /** Null if the platform chooses it: natural colour, else from the 2nd to the 98th percentile. */
  readonly range: string | null
  readonly colormap: string | null
  /** The classes of the values, in whose colours it is shown. */
  readonly classes: Legend['classes']
  /** True colour in the stretch of the platform, which lifts shadows. */
  readonly isNatural: boolean
  /** The curve that a profile states, or that makes the picture natural; null if the platform chooses it. */
  readonly stretch: Stretch | null
  /** 1 leaves the range as it is. */
  readonly gamma: number
  readonly tone: string | null
  /** The members of the style that tile URLs must have: those that the preset does not have. */
  readonly overrides: {
    readonly rescale?: string
    readonly colormap?: string
    readonly gamma?: number
    readonly color_formula?: string
  }
}

/** The colours in which an item of a known index or of classes opens. */
export type Legend = NonNullable<OutputOf<'items.tile.tilejson'>['legend']>

/** The preset of the colours that the item itself has. */
export const ownColours = 'own'

type Config = Readonly<Record<string, unknown>>

/** A rendering parameter of a stored profile as text, in whichever form it was stored. */
function readParameter(
  config: Config,
  name: 'expression' | 'bands' | 'rescale' | 'colormap' | 'color_formula',
): string | null {
  const value = config[name]
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (name === 'colormap') return JSON.stringify(value)
  if (!Array.isArray(value)) return null
  return value.every(Array.isArray) ? value.map((pair) => (pair as unknown[]).join(',')).join(';') : value.join(',')
}

type Stretch = 'natural' | 'linear'

const readStretch = ({ stretch }: Config): Stretch | null =>
  stretch === 'natural' || stretch === 'linear' ? stretch : null

/** Bands of a list as a person knows them. */
export function describeBands(asset: ViewAsset, bands: string): string[] {
  return bands.split(',').map((text) => {
    const band = findBand(asset.bands, text.trim())
    return band ? describeBand(band) : text.trim()
  })
}

interface Preset {
  readonly label: string
  readonly isSingle: boolean
  readonly range: string | null
  readonly colormap: string | null
  readonly gamma?: number
  readonly tone?: string | null
  readonly stretch?: Stretch | null
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
    tone: readParameter(config, 'color_formula'),
    stretch: readStretch(config),
  }
}

const fromVisualization = ({ label, expression, bands, rescale, colormap }: Visualization): Preset => ({
  label,
  isSingle: isSingle(expression, bands?.join(',') ?? null),
  range: rescale,
  colormap,
})

export interface PictureChoices {
  readonly presets: readonly Visualization[]
  readonly profiles: readonly VisualizationProfile[]
  /** Null if the item has no colours of its own, or a default profile. */
  readonly legend: Legend | null
}

/**
 * Completes a style without a preset, bands or a formula: with the default profile, else the colours of the item itself, else
 * natural colour, else the first common combination of bands, else the default preset.
 */
export function settleStyle(style: Style, { presets, profiles, legend }: PictureChoices, asset: ViewAsset): Style {
  const chosen = style.preset === ownColours && legend === null ? null : style.preset
  if (chosen ?? style.bands ?? style.formula) return style
  const profile = profiles.find(({ is_default, asset_key }) => is_default && (asset_key ?? asset.key) === asset.key)
  if (profile) return { ...style, preset: profile.id }
  if (legend) return { ...style, preset: ownColours }
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
  const { formula, bands, preset: id, range, colormap, gamma: gammaText, tone } = settleStyle(style, choices, asset)
  const visualization = choices.presets.find((candidate) => candidate.id === id)
  const gamma = readGamma(gammaText)
  const overrides = {
    ...(range ? { rescale: range } : {}),
    ...(colormap ? { colormap } : {}),
    ...(gamma === null ? {} : { gamma }),
    ...(tone ? { color_formula: tone } : {}),
  }
  const own = {
    item,
    asset,
    range,
    colormap,
    classes: null,
    isNatural: false,
    stretch: null,
    gamma: gamma ?? 1,
    tone,
    overrides,
  }
  const source = asset === item.assets[0] ? {} : { asset_key: asset.key }
  if (formula) return { ...own, query: { expression: formula, ...source }, label: formula, isSingle: true }
  if (bands) {
    const label = describeBands(asset, bands).join(', ')
    return { ...own, query: { bands, ...source }, label, isSingle: isSingle(null, bands) }
  }
  if (id === ownColours && choices.legend) return applyLegend({ ...own, query: source }, choices.legend)
  const profile = choices.profiles.find((candidate) => candidate.id === id)
  const preset = profile ? fromProfile(profile) : visualization ? fromVisualization(visualization) : null
  const shownRange = range ?? preset?.range ?? null
  const stretch = preset?.stretch ?? (visualization?.kind === 'rgb' && shownRange === null ? 'natural' : null)
  return {
    ...own,
    query: { profile: id!, ...source },
    label: preset?.label ?? id!,
    isSingle: preset?.isSingle ?? true,
    range: shownRange,
    colormap: colormap ?? preset?.colormap ?? null,
    isNatural: stretch === 'natural' && shownRange === null,
    stretch,
    gamma: gamma ?? preset?.gamma ?? 1,
    tone: tone ?? preset?.tone ?? null,
  }
}

/** A picture in the colours of the item itself. Once a range or colours are chosen, the platform needs the others, too. */
function applyLegend(picture: Omit<Picture, 'label' | 'isSingle'>, legend: Legend): Picture {
  const range = picture.range ?? legend.range?.join(',') ?? null
  const colormap = picture.colormap ?? legend.colormap
  const isChanged = picture.range !== null || picture.colormap !== null
  const completed = { ...(range ? { rescale: range } : {}), ...(colormap ? { colormap } : {}) }
  const shown = { range, colormap, classes: isChanged ? null : legend.classes }
  const overrides = { ...picture.overrides, ...(isChanged ? completed : {}) }
  return { ...picture, ...shown, overrides, label: legend.title, isSingle: true }
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
