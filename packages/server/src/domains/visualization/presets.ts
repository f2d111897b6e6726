import type { Visualization } from '@swath/contract/schemas/profile.ts'
import { listSpectralIndexBands, spectralIndicesByName, type SpectralIndexDefinition } from '@swath/raster'

/** The 1-based band of each role, such as `{ red: 4 }`. */
export type BandRoles = Readonly<Record<string, number>>

export interface VisualizationPresetRequest {
  readonly band_roles: BandRoles
  /** `dem` for elevation; anything else is an image. */
  readonly data_type: string
  /** Parameters that presets include where they apply: `rescale` for raw samples, `colormap` for a single band. */
  readonly render_params: Readonly<Record<string, unknown>>
  readonly asset: string | null
}

/** The notation of a band in an expression: its number, with scale and offset if needed. */
export type BandNotation = (band: number) => string

/** Aliases of roles in sensors and catalogs; roles are the common names of STAC. */
const aliases: Readonly<Record<string, string>> = {
  r: 'red',
  g: 'green',
  b: 'blue',
  rededge1: 'rededge',
  rededge071: 'rededge',
  nir08: 'nir',
  nearinfrared: 'nir',
  swir1: 'swir16',
  swir2: 'swir22',
}

/** The bands by common name; a standard name takes precedence over its aliases. */
export function normalizeBandRoles(bandRoles: BandRoles): ReadonlyMap<string, number> {
  const defaults = Object.entries(bandRoles).map(
    ([name, band]) => [name.toLowerCase().replaceAll(/[\s_-]/g, ''), band] as const,
  )
  const bandByRole = new Map(defaults)
  for (const [name, band] of defaults) {
    const role = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    if (role !== undefined && !bandByRole.has(role)) bandByRole.set(role, band)
  }
  return bandByRole
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * The presets for bands by their roles alone: true color if there are red, green and blue, each index with all its
 * bands, elevation for `dem`, and always the first band. Uses only its input.
 *
 * @param notation how an expression refers to a band, by default as `b4`.
 */
export function listPresetsForBands(
  request: VisualizationPresetRequest,
  notation: BandNotation = (band) => `b${band}`,
): { visualizations: Visualization[]; default_id: string } {
  const roles = normalizeBandRoles(request.band_roles)
  const presets = [
    ...elevationPreset(request),
    ...trueColorPreset(request, roles),
    ...indexPresets(request, roles, notation),
    rawPreset(request),
  ]
  const [defaultPreset] = ['elevation', 'rgb', 'raw'].flatMap((kind) =>
    presets.filter((preset) => preset.kind === kind),
  )
  const default_id = defaultPreset?.id ?? ''
  return { visualizations: presets.map((preset) => ({ ...preset, is_default: preset.id === default_id })), default_id }
}

const defaults = { bands: null, expression: null, colormap: null, rescale: null, is_default: false, category: null }

function elevationPreset({ data_type, render_params, asset }: VisualizationPresetRequest): Visualization[] {
  if (data_type.toLowerCase() !== 'dem') return []
  const colormap = nonEmptyText(render_params['colormap']) ?? 'terrain'
  const rescale = nonEmptyText(render_params['rescale'])
  const description = 'Heights from low to high.'
  return [
    {
      ...defaults,
      id: 'elevation',
      label: 'Elevation',
      kind: 'elevation',
      asset,
      bands: [1],
      colormap,
      rescale,
      description,
    },
  ]
}

function trueColorPreset(
  { render_params, asset }: VisualizationPresetRequest,
  roles: ReadonlyMap<string, number>,
): Visualization[] {
  const bands = ['red', 'green', 'blue'].flatMap((role) => roles.get(role) ?? [])
  if (bands.length !== 3) return []
  const rescale = nonEmptyText(render_params['rescale'])
  const description = 'Red, green and blue as the eye sees them.'
  return [{ ...defaults, id: 'true-color', label: 'True colour', kind: 'rgb', asset, bands, rescale, description }]
}

function indexPresets(
  { asset }: VisualizationPresetRequest,
  roles: ReadonlyMap<string, number>,
  notation: BandNotation,
): Visualization[] {
  return [...spectralIndicesByName].flatMap(([id, index]): Visualization[] => {
    if (!listSpectralIndexBands(index).every((role) => roles.has(role))) return []
    const { title, group, colormap, range } = index
    const expression = bindFormula(index, (role) => notation(roles.get(role)!))
    const rescale = range.join(',')
    const description = index.needsReflectance ? `${title}, of reflectances from 0 to 1.` : `${title}.`
    return [
      {
        ...defaults,
        id,
        label: id.toUpperCase(),
        kind: 'index',
        asset,
        expression,
        colormap,
        rescale,
        category: group,
        description,
      },
    ]
  })
}

/** The expression of an index with each role replaced. */
function bindFormula(index: SpectralIndexDefinition, replacementOf: (role: string) => string): string {
  const roles = new Set(listSpectralIndexBands(index))
  return index.formula.replaceAll(/[A-Za-z_]\w*/g, (name) => (roles.has(name) ? replacementOf(name) : name))
}

function rawPreset({ render_params, asset }: VisualizationPresetRequest): Visualization {
  const { colormap, rescale } = {
    colormap: nonEmptyText(render_params['colormap']),
    rescale: nonEmptyText(render_params['rescale']),
  }
  return {
    ...defaults,
    id: 'raw',
    label: 'First band',
    kind: 'raw',
    asset,
    bands: [1],
    colormap,
    rescale,
    description: 'The first band as it is.',
  }
}
