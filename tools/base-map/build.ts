import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { cutTiles } from './cut-tiles.ts'
import { fetchSources } from './fetch-sources.ts'
import { writePlaceIndex } from './place-index.ts'
import { markAreas, markSettlements, readCountries, readRegions, readSettlements } from './read-places.ts'
import { readLakes, readLand, readProvinces, readRivers, traceBorders } from './read-shapes.ts'
import { findNearTowns, simplifyShapes } from './simplify-shapes.ts'
import { shadeRelief } from './shade-relief.ts'
import { writeTileArchive } from './write-tile-archive.ts'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'packages/server/base-map')

/** Smaller settlements are found, and have no name on the map. */
const least_mapped_people = 3000

const maxzooms = { world: 7, relief: 4 } as const

/** The functions that make the bytes of each kind of file from the unpacked sources. */
const makers = { world: makeWorld, relief: makeRelief, places: makePlaces } as const
type FileKind = keyof typeof makers

/**
 * Makes the base map and the index of places from packages of npm, PyPI and Debian: `NOTICE.md` beside the files names them.
 * Takes minutes, four gigabytes of memory, and the programs `npm`, `pip`, `python3`, `tar`, `apt-get` and `dpkg`. Names of files
 * (`world`, `relief`, `places`) in the arguments make only these.
 */
const sources = await fetchSources(join(root, '.data/base-map-sources'))
const wanted = process.argv.slice(2) as FileKind[]
await mkdir(target, { recursive: true })
for (const kind of wanted.length > 0 ? wanted : (Object.keys(makers) as FileKind[])) {
  const { bytes, ending } = await makers[kind]()
  for (const name of await readdir(target)) if (name.startsWith(`${kind}-`)) await rm(join(target, name))
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  await writeFile(join(target, `${kind}-${hash}${ending}`), bytes)
}
await writeFile(join(root, 'apps/console/src/map/base/base-map-archives.ts'), describeArchives(await readdir(target)))

interface MadeFile {
  readonly bytes: Buffer
  readonly ending: string
}

async function makeWorld(): Promise<MadeFile> {
  const provinces = readProvinces(sources.provinces)
  const settlements = await readSettlements(sources.names)
  const countries = await readCountries(sources.names, provinces)
  const borders = traceBorders(provinces)
  const isNear = findNearTowns(settlements)
  const lakes = await readLakes(sources.waters, 'lakes')
  const islands = await readLakes(sources.waters, 'islands')
  const tiles = await cutTiles(
    [
      { name: 'land', features: simplifyShapes(await readLand(sources.coast), isNear), minzoom: 0, tolerance: 9 },
      { name: 'lakes', features: simplifyShapes(lakes, isNear, 0.35), minzoom: 2, tolerance: 9 },
      { name: 'islands', features: simplifyShapes(islands, isNear, 0.35), minzoom: 5, tolerance: 9 },
      {
        name: 'rivers',
        features: simplifyShapes(await readRivers(sources.waters), isNear, 1.5),
        minzoom: 2,
        tolerance: 4,
      },
      { name: 'borders', features: simplifyShapes(borders.countries, isNear), minzoom: 0, tolerance: 9 },
      { name: 'provinces', features: simplifyShapes(borders.provinces, isNear, 1.5), minzoom: 4, tolerance: 9 },
      {
        name: 'settlements',
        features: markSettlements(settlements.filter(({ population }) => population >= least_mapped_people)),
        minzoom: 2,
        tolerance: 0,
      },
      { name: 'regions', features: markAreas('region', readRegions(provinces, [])), minzoom: 4, tolerance: 0 },
      { name: 'countries', features: markAreas('country', countries), minzoom: 1, tolerance: 0 },
    ],
    maxzooms.world,
  )
  return { bytes: writeTileArchive(tiles, { type: 'mvt', compression: 'brotli', metadata: {} }), ending: '.pmtiles' }
}

async function makeRelief(): Promise<MadeFile> {
  const tiles = await shadeRelief(sources.relief, maxzooms.relief)
  return { bytes: writeTileArchive(tiles, { type: 'webp', compression: 'none', metadata: {} }), ending: '.pmtiles' }
}

async function makePlaces(): Promise<MadeFile> {
  const provinces = readProvinces(sources.provinces)
  const settlements = await readSettlements(sources.names)
  const countries = await readCountries(sources.names, provinces)
  const places = [...countries, ...readRegions(provinces, settlements), ...settlements]
  const bytes = await promisify(brotliCompress)(writePlaceIndex(places), {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
  return { bytes, ending: '.br' }
}

function describeArchives(files: readonly string[]): string {
  const rows = (['world', 'relief'] as const).map((kind) => {
    const name = files.find((file) => file.startsWith(`${kind}-`))?.replace('.pmtiles', '')
    return `  ${kind}: { name: '${name}', maxzoom: ${maxzooms[kind]} },`
  })
  return `// Written by tools/base-map/build.ts.

/** The archives of tiles that the server has: the hash of each is in its name. */
export const archives = {
${rows.join('\n')}
} as const
`
}
