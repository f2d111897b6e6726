import { readFile } from 'node:fs/promises'

export interface CrsDefinition {
  readonly proj4: string
  readonly name: string
}

let loading: Promise<ReadonlyMap<number, CrsDefinition>> | null = null

/**
 * The definition of an EPSG code, or null for one that is not known. UTM on WGS 84, by far the most common, is computed;
 * the rest comes from the printed table beside this file, read on first use.
 */
export async function findCrs(epsg: number): Promise<CrsDefinition | null> {
  const zone = epsg % 100
  const family = Math.floor(epsg / 100)
  if ((family === 326 || family === 327) && zone >= 1 && zone <= 60) {
    const south = family === 327
    return {
      proj4: `+proj=utm +zone=${zone}${south ? ' +south' : ''} +datum=WGS84 +units=m +no_defs`,
      name: `WGS 84 / UTM zone ${zone}${south ? 'S' : 'N'}`,
    }
  }
  return (await table()).get(epsg) ?? null
}

/** The geographic system of a name, letters and digits compared only; the first of several. */
export async function findGeographicCrs(name: string): Promise<CrsDefinition | null> {
  const key = crsNameKey(name)
  const definitions = [...(await table()).values()]
  return definitions.find(({ proj4, name }) => proj4.startsWith('+proj=longlat') && crsNameKey(name) === key) ?? null
}

/** Names are compared by their letters and digits. */
export const crsNameKey = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9+]/g, '')

const table = (): Promise<ReadonlyMap<number, CrsDefinition>> => (loading ??= readTable())

async function readTable(): Promise<ReadonlyMap<number, CrsDefinition>> {
  const text = await readFile(new URL('./crs-table.txt', import.meta.url), 'utf8')
  const table = new Map<number, CrsDefinition>()
  for (const line of text.split('\n')) {
    const [code, definition, name] = line.split('\t')
    if (code && definition && name) table.set(Number(code), { proj4: `+proj=${definition} +no_defs`, name })
  }
  return table
}
