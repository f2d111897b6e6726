import { nameItem } from '../../../api/name-item.ts'
import { readTakenTime } from '../../../api/read-taken-time.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { readText } from '../../../api/read-text.ts'

export interface ViewBand {
  /** 1-based. */
  readonly number: number
  /** As the file or a person calls it, such as `B04`. */
  readonly name: string | null
  /** Its role, such as `red`. */
  readonly role: string | null
}

export interface ViewAsset {
  readonly key: string
  readonly id: string
  readonly title: string
  readonly href: string
  readonly bands: readonly ViewBand[]
  readonly size_bytes: number | null
}

/** The properties of an item that the viewer uses. */
export interface ViewItem {
  readonly id: string
  readonly name: string
  readonly datetime: string | null
  /** West, south, east, north. */
  readonly bbox: readonly [number, number, number, number] | null
  readonly collection: string | null
  readonly attribution: string | null
  /** Files that can be rendered. */
  readonly assets: readonly ViewAsset[]
  readonly thumbnail: string | null
}

interface StacAsset {
  readonly href: string
  readonly title?: string
  readonly type?: string
  readonly roles?: readonly string[]
  readonly 'file:size'?: number
  readonly 'eo:bands'?: readonly { readonly name?: string; readonly common_name?: string }[]
  readonly 'raster:bands'?: readonly unknown[]
}

function toAsset(key: string, asset: StacAsset): ViewAsset {
  const bands = asset['raster:bands'] ?? asset['eo:bands'] ?? []
  return {
    key,
    id: asset.href.split('?')[0]!.split('/assets/').at(-1)!.split('/')[0]!,
    title: asset.title ?? key,
    href: asset.href,
    bands: bands.map((_, at) => {
      const { name = null, common_name = null } = asset['eo:bands']?.[at] ?? {}
      return { number: at + 1, name, role: common_name }
    }),
    size_bytes: asset['file:size'] ?? null,
  }
}

/** Reads an item of the platform from its STAC Item. */
export function toViewItem(stac: OutputOf<'items.get_stac'>): ViewItem {
  const { id, bbox, properties, collection } = stac as unknown as {
    id: string
    bbox?: [number, number, number, number]
    collection?: string | null
    properties: Readonly<Record<string, unknown>>
  }
  const assets = Object.entries(stac.assets as unknown as Readonly<Record<string, StacAsset>>)
  const thumbnail = assets.find(([, { roles }]) => roles?.includes('thumbnail'))?.[1].href ?? null
  return {
    id: readText(properties['service:item_id']) ?? id,
    name: nameItem(properties) ?? id,
    datetime: readTakenTime(properties),
    bbox: bbox ?? null,
    collection: collection ?? null,
    attribution: readText(properties['attribution']),
    assets: assets.filter(([, asset]) => asset['raster:bands']).map(([key, asset]) => toAsset(key, asset)),
    thumbnail: thumbnail && new URL(thumbnail).pathname,
  }
}

/** A band as a person knows it: its name and its role, or its number. */
export const describeBand = ({ number, name, role }: ViewBand): string =>
  name && role && name.toLowerCase() !== role ? `${name} · ${role}` : (name ?? role ?? `b${number}`)

/** The band of a notation that the platform takes: a name, a role or a number. */
export const findBand = (bands: readonly ViewBand[], notation: string): ViewBand | undefined =>
  bands.find(({ name }) => name === notation) ??
  bands.find(({ role }) => role === notation) ??
  bands.find(({ number }) => [`${number}`, `b${number}`].includes(notation))

/** The notation of a band that also fits other items: its role where no other band has it, else its number. */
export function bandNotation(bands: readonly ViewBand[], { number, role }: ViewBand): string {
  const isUnique = role !== null && bands.filter((band) => band.role === role || band.name === role).length === 1
  return isUnique ? role : String(number)
}

/** Elevation is stored as a single band. */
export const mayBeElevation = ({ assets }: ViewItem): boolean => assets[0]?.bands.length === 1
