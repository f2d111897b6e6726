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
  loading ??= readTable()
  return (await loading).get(epsg) ?? null
}

async function readTable(): Promise<ReadonlyMap<number, CrsDefinition>> {
  const text = await readFile(new URL('./table.txt', import.meta.url), 'utf8')
  const table = new Map<number, CrsDefinition>()
  for (const line of text.split('\n')) {
    const [code, definition, name] = line.split('\t')
    if (code && definition && name) table.set(Number(code), { proj4: `+proj=${definition} +no_defs`, name })
  }
  return table
}
