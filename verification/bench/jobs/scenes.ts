import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Affine } from '../../../packages/geo/src/affine.ts'
import { createCrsFromEpsg, writeCog, type CogInput } from '../../../packages/raster/src/index.ts'
import { createRandom } from '../../prove/harness/random.ts'

/** The generated files of one size. */
export interface JobScenes {
  /** Four bands of 16 bits. */
  readonly scene: string
  /** Heights in metres, 16 bits. */
  readonly heights: string
  /** Five classes in areas of some thousand pixels. */
  readonly classes: string
  /** Twelve scenes of one band that overlap, four across and three down. */
  readonly tiles: readonly string[]
}

const pixel_m = 10
const [west, north] = [600_000, 5_600_000]
const [tiles_across, tiles_down] = [4, 3]
/** Of the side of a tile, on each side. */
const overlap = 0.1

/** Waves with noise, which compress like a scene. */
const brightness = (x: number, y: number, band: number): number =>
  1500 + 300 * band + 900 * Math.sin(x / 70) * Math.cos(y / (90 + band))

const height = (x: number, y: number): number =>
  900 + 500 * Math.sin(x / 400) * Math.cos(y / 310) + 60 * Math.sin(x / 37) + 40 * Math.cos(y / 29)

const classAt = (x: number, y: number): number => 3 + Math.round(2 * Math.sin(x / 70) * Math.cos(y / 90))

/** Generates the missing scenes of a folder; `side` is that of the large scene in pixels. */
export async function ensureScenes(folder: string, side: number): Promise<JobScenes> {
  await mkdir(folder, { recursive: true })
  const make = async (name: string, surface: Surface): Promise<string> => {
    const path = join(folder, `${name}.tif`)
    if (existsSync(path)) return path
    await writeCog(await createImage(surface), `${path}.part`)
    await rename(`${path}.part`, path)
    return path
  }
  const noise = { amplitude: 300, seed: 1 }
  const scene = await make('scene', {
    width: side,
    height: side,
    column: 0,
    row: 0,
    bands: 4,
    value: brightness,
    noise,
  })
  const heights = await make('heights', { width: side, height: side, column: 0, row: 0, bands: 1, value: height })
  const classes = await make('classes', { width: side, height: side, column: 0, row: 0, bands: 1, value: classAt })
  const [width, rows] = [Math.floor(side / tiles_across), Math.floor(side / tiles_down)]
  const tiles: string[] = []
  for (let at = 0; at < tiles_across * tiles_down; at++) {
    const [column, row] = [(at % tiles_across) * width, Math.floor(at / tiles_across) * rows]
    const size = { width: Math.floor(width * (1 + overlap)), height: Math.floor(rows * (1 + overlap)) }
    tiles.push(await make(`tile-${at}`, { ...size, column, row, bands: 1, value: brightness, noise }))
  }
  return { scene, heights, classes, tiles }
}

interface Surface {
  readonly width: number
  readonly height: number
  /** Where it begins on the grid of all files. */
  readonly column: number
  readonly row: number
  readonly bands: number
  readonly value: (x: number, y: number, band: number) => number
  readonly noise?: { readonly amplitude: number; readonly seed: number }
}

async function createImage({ width, height: rowCount, column, row, bands, value, noise }: Surface): Promise<CogInput> {
  const random = createRandom((noise?.seed ?? 0) + column + row)
  const affine: Affine = [west + column * pixel_m, pixel_m, 0, north - row * pixel_m, 0, -pixel_m]
  return {
    width,
    height: rowCount,
    sampleType: 'uint16',
    bands: Array.from({ length: bands }, (_, band) => ({ name: `B${band + 1}`, colour: 'gray', scale: 1, offset: 0 })),
    nodata: 0,
    masked: false,
    georeferencing: { affine, crs: await createCrsFromEpsg(32_632), geoTags: null },
    readRows: async (top, rows) => {
      const data = new Uint16Array(width * rows * bands)
      for (let at = 0, pixel = 0; at < data.length; pixel++) {
        const [x, y] = [column + (pixel % width), row + top + Math.floor(pixel / width)]
        for (let band = 0; band < bands; band++)
          data[at++] = value(x, y, band) + (noise ? noise.amplitude * random() : 0)
      }
      return { width, rows, bands, data, mask: null }
    },
  }
}
