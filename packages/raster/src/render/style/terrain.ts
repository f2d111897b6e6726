import { RasterFailure } from '../../failures.ts'
import { copyLoopPerSampleType } from '../../sample-loops.ts'
import { getSampleTypeOfArray } from '../../sample-types.ts'
import type { SampleArray } from '../../types.ts'

/** Encoding of heights as terrain-RGB: height = sample × scale + offset, times the z factor, negated if inverted. */
export interface TerrainRgbOptions {
  readonly encoding: TerrainEncoding
  /** Of the band; default 1 and 0. */
  readonly scale?: number
  readonly offset?: number
  /** Exaggerates, or turns feet into metres; default 1. */
  readonly z_factor?: number
  /** Depths become heights and heights depths. */
  readonly invert?: boolean
  /** Height in metres of invalid pixels, which are then opaque. Without it they are transparent. */
  readonly missing?: number
}

export type TerrainEncoding = 'mapbox' | 'terrarium'

/** A colour counts steps from the lowest height, in 24 bits: 65536 red + 256 green + blue. */
const step_count = 2 ** 24

/**
 * Mapbox Terrain-RGB: height = -10000 + steps × 0.1 (docs.mapbox.com, "Mapbox Terrain-RGB v1"). Terrarium: height =
 * 256 red + green + blue / 256 - 32768 (Mapzen's terrain tiles, "formats"), which is the same count in steps of 1/256.
 */
const terrainEncodings: Readonly<Record<TerrainEncoding, { lowest: number; stepsPerMetre: number }>> = {
  mapbox: { lowest: -10_000, stepsPerMetre: 10 },
  terrarium: { lowest: -32_768, stepsPerMetre: 256 },
}

/**
 * Writes the colours of heights, three bytes at every `stride`-th place of `out`: the nearest step, heights beyond the
 * range of the encoding as its ends.
 *
 * @throws RasterFailure `request` for options that are not finite numbers.
 */
export function encodeHeights(out: Uint8Array, stride: 3 | 4, samples: SampleArray, terrain: TerrainRgbOptions): void {
  const { scale = 1, offset = 0, z_factor = 1, invert = false } = terrain
  const { lowest, stepsPerMetre } = terrainEncodings[terrain.encoding]
  const factor = (invert ? -1 : 1) * z_factor * stepsPerMetre
  // Half a step makes cutting off the fraction the same as rounding.
  const [perSample, first] = [scale * factor, offset * factor - lowest * stepsPerMetre + 0.5]
  if (!Number.isFinite(perSample) || !Number.isFinite(first))
    throw new RasterFailure('request', 'scale, offset and z factor of heights are numbers')
  encodeLoop[getSampleTypeOfArray(samples)](out, stride, samples, perSample, first, step_count - 1)
}

const encodeLoop = copyLoopPerSampleType(
  (out: Uint8Array, stride: number, samples: SampleArray, perSample: number, first: number, most: number): void => {
    for (let i = 0, to = 0; i < samples.length; i++, to += stride) {
      const exact = samples[i]! * perSample + first
      const steps = exact > most ? most : exact > 0 ? exact | 0 : 0
      out[to] = steps >> 16
      out[to + 1] = steps >> 8
      out[to + 2] = steps
    }
  },
)

/** The colour of a height in metres: the nearest step, at the ends of the encoding the last one. */
export function encodeHeightColour(
  encoding: TerrainEncoding,
  height: number,
): readonly [red: number, green: number, blue: number] {
  const colour = new Uint8Array(3)
  encodeHeights(colour, 3, Float64Array.of(height), { encoding })
  return [colour[0]!, colour[1]!, colour[2]!]
}

/** Decodes a terrain-RGB colour to a height in metres. */
export function decodeTerrainHeight(encoding: TerrainEncoding, red: number, green: number, blue: number): number {
  const { lowest, stepsPerMetre } = terrainEncodings[encoding]
  return lowest + (red * 65_536 + green * 256 + blue) / stepsPerMetre
}
