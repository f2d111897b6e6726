import { readFile } from 'node:fs/promises'
import { parseElementSets } from '@swath/geo/orbit/element-set.ts'
import { createSatellite, type Satellite } from '@swath/geo/orbit/satellite.ts'
import { constellationSensors } from './sensors.ts'

/** The satellites of the constellation by name. */
export type ConstellationSatellites = ReadonlyMap<string, Satellite>

/** Reads the element sets. Throws if one is invalid, or if a sensor has none. */
export async function readConstellationSatellites(file: string): Promise<ConstellationSatellites> {
  const satellites = parseElementSets(await readFile(file, 'utf8')).map(createSatellite)
  const sky = new Map(satellites.map((satellite) => [satellite.elements.name, satellite]))
  const missing = constellationSensors.flatMap((sensor) => sensor.satellites).find((name) => !sky.has(name))
  if (missing !== undefined) throw new Error(`the constellation has no elements of "${missing}"`)
  return sky
}
