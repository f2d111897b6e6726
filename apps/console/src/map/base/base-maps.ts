import type { StyleSpecification } from 'maplibre-gl'
import { readStored, writeStored } from '../../api/storage.ts'

/** A map that can be drawn below everything else. */
export interface BaseMapChoice {
  readonly id: string
  readonly title: string
  /** Null for the map of the server. A style, TileJSON, a template of tiles, or a PMTiles archive. */
  readonly url: string | null
  /** Pictures of the organization, which are drawn over the map of the server, the last on top. */
  readonly pictures?: readonly BasePicture[]
}

/** Tiles of the platform, as its TileJSON describes them. */
export interface BasePicture {
  readonly tiles: string
  readonly bounds: readonly [number, number, number, number]
  readonly minzoom: number
  readonly maxzoom: number
}

export const serverMap: BaseMapChoice = { id: 'server', title: 'Map', url: null }

const chosenKey = 'base-map'
const picturesKey = 'base-map-pictures'
/** Older ones are forgotten. */
const max_kept = 5

/** The maps that the operator has set, from the page; none where no server filled it in. */
export function readConfiguredMaps(
  content = document.querySelector<HTMLMetaElement>('meta[name="basemap"]')?.content ?? '',
): BaseMapChoice[] {
  if (!content.startsWith('[')) return []
  const maps = JSON.parse(content) as { title: string; url: string }[]
  return maps.map(({ title, url }) => ({ id: url, title, url }))
}

function readPictures(): BaseMapChoice[] {
  const stored = readStored(picturesKey)
  try {
    const maps = stored === null ? [] : (JSON.parse(stored) as BaseMapChoice[])
    // An earlier version stored one picture for each.
    return maps.filter(({ pictures }) => Array.isArray(pictures))
  } catch {
    return []
  }
}

/** All base maps to choose from: those of the operator come first, and the first one is the default. */
export const listBaseMaps = (): BaseMapChoice[] => [...readConfiguredMaps(), serverMap, ...readPictures()]

/** The one that this browser shows. */
export function readChosenMap(): BaseMapChoice {
  const maps = listBaseMaps()
  const chosen = readStored(chosenKey)
  return maps.find(({ id }) => id === chosen) ?? maps[0]!
}

export const storeChosenMap = ({ id }: BaseMapChoice): void => writeStored(chosenKey, id)

/** Adds the pictures of an item or a collection to the choices of this browser, as the newest. */
export function addPictures(id: string, title: string, pictures: readonly BasePicture[]): BaseMapChoice {
  const added: BaseMapChoice = { id, title, url: null, pictures }
  const others = readPictures().filter((map) => map.id !== id)
  writeStored(picturesKey, JSON.stringify([added, ...others].slice(0, max_kept)))
  return added
}

const baseKey = 'swath:base'

interface BaseParts {
  readonly layers: readonly string[]
  readonly sources: readonly string[]
}

/** Remembers in a style what belongs to the base map, so that another one can replace it. */
export const markBase = (style: StyleSpecification): StyleSpecification => ({
  ...style,
  metadata: {
    [baseKey]: { layers: style.layers.map(({ id }) => id), sources: Object.keys(style.sources) } satisfies BaseParts,
  },
})

/** The next base map with everything that is drawn above the previous one. */
export function replaceBase(previous: StyleSpecification | undefined, next: StyleSpecification): StyleSpecification {
  const marked = markBase(next)
  if (!previous) return marked
  const parts = ((previous.metadata as Record<string, unknown> | undefined)?.[baseKey] ?? { layers: [], sources: [] }) as BaseParts // prettier-ignore
  const [oldLayers, oldSources] = [new Set(parts.layers), new Set(parts.sources)]
  const kept = Object.entries(previous.sources).filter(([name]) => !oldSources.has(name))
  return {
    ...marked,
    ...(previous.terrain && !oldSources.has(previous.terrain.source) ? { terrain: previous.terrain } : {}),
    sources: { ...marked.sources, ...Object.fromEntries(kept) },
    layers: [...marked.layers, ...previous.layers.filter(({ id }) => !oldLayers.has(id))],
  }
}
