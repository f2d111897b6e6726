import type { Visualization } from '@swath/contract/shapes/profile.ts'
import { indexBands, INDICES, type SpectralIndex } from '@swath/raster'

/** The 1-based band of each role, such as `{ red: 4 }`. */
export type BandRoles = Readonly<Record<string, number>>

export interface WaysRequest {
  readonly band_roles: BandRoles
  /** `dem` for elevation; anything else is an image. */
  readonly data_type: string
  /** Parameters that presets include where they apply: `rescale` for raw samples, `colormap` for a single band. */
  readonly render_params: Readonly<Record<string, unknown>>
  readonly asset: string | null
}

/** How an expression refers to a band: its number, with scale and offset if needed. */
export type BandWord = (band: number) => string

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
function rolesOf(given: BandRoles): ReadonlyMap<string, number> {
  const plain = Object.entries(given).map(
    ([word, band]) => [word.toLowerCase().replaceAll(/[\s_-]/g, ''), band] as const,
  )
  const known = new Map(plain)
  for (const [word, band] of plain) {
    const role = Object.hasOwn(aliases, word) ? aliases[word] : undefined
    if (role !== undefined && !known.has(role)) known.set(role, band)
  }
  return known
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * The presets for bands of which only the roles are known: true color if there are red, green and blue, each index with all
 * its bands, elevation for `dem`, and always the first band. Uses only its input.
 *
 * @param notation how an expression refers to a band, by default as `b4`.
 */
export function waysFor(
  request: WaysRequest,
  write: BandWord = (band) => `b${band}`,
): { visualizations: Visualization[]; default_id: string } {
  const roles = rolesOf(request.band_roles)
  const ways = [...elevation(request), ...trueColour(request, roles), ...indices(request, roles, write), raw(request)]
  const [shown] = ['elevation', 'rgb', 'raw'].flatMap((kind) => ways.filter((way) => way.kind === kind))
  const default_id = shown?.id ?? ''
  return { visualizations: ways.map((way) => ({ ...way, is_default: way.id === default_id })), default_id }
}

const plain = { bands: null, expression: null, colormap: null, rescale: null, is_default: false, category: null }

function elevation({ data_type, render_params, asset }: WaysRequest): Visualization[] {
  if (data_type.toLowerCase() !== 'dem') return []
  const colormap = textOf(render_params['colormap']) ?? 'terrain'
  const rescale = textOf(render_params['rescale'])
  const description = 'Heights from low to high.'
  return [
    {
      ...plain,
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

function trueColour({ render_params, asset }: WaysRequest, roles: ReadonlyMap<string, number>): Visualization[] {
  const bands = ['red', 'green', 'blue'].flatMap((role) => roles.get(role) ?? [])
  if (bands.length !== 3) return []
  const rescale = textOf(render_params['rescale'])
  const description = 'Red, green and blue as the eye sees them.'
  return [{ ...plain, id: 'true-color', label: 'True colour', kind: 'rgb', asset, bands, rescale, description }]
}

function indices({ asset }: WaysRequest, roles: ReadonlyMap<string, number>, write: BandWord): Visualization[] {
  return [...INDICES].flatMap(([id, index]): Visualization[] => {
    if (!indexBands(index).every((role) => roles.has(role))) return []
    const { title, group, colormap, range } = index
    const expression = formulaFor(index, (role) => write(roles.get(role)!))
    const rescale = range.join(',')
    const description = index.needsReflectance ? `${title}, of reflectances from 0 to 1.` : `${title}.`
    return [
      {
        ...plain,
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
function formulaFor(index: SpectralIndex, wordOf: (role: string) => string): string {
  const roles = new Set(indexBands(index))
  return index.formula.replaceAll(/[A-Za-z_]\w*/g, (word) => (roles.has(word) ? wordOf(word) : word))
}

function raw({ render_params, asset }: WaysRequest): Visualization {
  const { colormap, rescale } = {
    colormap: textOf(render_params['colormap']),
    rescale: textOf(render_params['rescale']),
  }
  return {
    ...plain,
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
