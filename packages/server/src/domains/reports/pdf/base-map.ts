import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Land and borders of Natural Earth, from the npm package `world-atlas`. */
export interface ReportBaseMap {
  readonly land: Feature | FeatureCollection
  readonly borders: MultiLineString
}

/** Reads the base map at a scale: 50m for regions, 110m for continents. */
export async function readReportBaseMap(scale: '50m' | '110m'): Promise<ReportBaseMap> {
  const path = createRequire(import.meta.url).resolve(`world-atlas/countries-${scale}.json`)
  const topology = JSON.parse(await readFile(path, 'utf8')) as Topology
  const shapes = (name: string) => topology.objects[name] as GeometryCollection
  return {
    land: feature(topology, shapes('land')),
    borders: mesh(topology, shapes('countries'), (left, right) => left !== right),
  }
}
