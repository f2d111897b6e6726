import { join } from 'node:path'
import type { Affine } from '@swath/geo/affine.ts'
import { writeCog } from '../src/cog/writer/cog.ts'
import { openRaster } from '../src/formats/open-raster.ts'
import { openFileSource } from '../src/io/source/file.ts'
import { sampleTypeProperties } from '../src/sample-types.ts'
import type { Crs, Raster, SampleType } from '../src/types.ts'

export interface PlacedScene {
  readonly crs: Crs
  readonly affine: Affine
  readonly width: number
  readonly height: number
  readonly type?: SampleType
  readonly nodata?: number | null
  /** Default: pixels counted row after row, modulo 251. */
  readonly value?: (x: number, y: number) => number
}

/** Writes a raster of one band and opens it. */
export async function writePlacedScene(folder: string, name: string, scene: PlacedScene): Promise<Raster> {
  const { crs, affine, width, height, type = 'uint16', nodata = null } = scene
  const { value = (x: number, y: number) => (y * width + x) % 251 } = scene
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType: type,
      bands: [{ name: 'value', colour: 'gray', scale: 1, offset: 0 }],
      nodata,
      masked: false,
      georeferencing: { affine, crs, geoTags: null },
      readRows: async (top, rows) => {
        const data = sampleTypeProperties[type].allocate(width * rows)
        for (let at = 0; at < data.length; at++) data[at] = value(at % width, top + Math.floor(at / width))
        return { width, rows, bands: 1, data, mask: null }
      },
    },
    join(folder, `${name}.tif`),
  )
  return openRaster(await openFileSource(path))
}
