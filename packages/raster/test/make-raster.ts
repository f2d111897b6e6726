import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Affine } from '@swath/geo/affine.ts'
import { createCrsFromEpsg } from '../src/formats/crs/from-code.ts'
import { openRaster } from '../src/formats/open-raster.ts'
import { openFileSource } from '../src/io/source/file.ts'
import { sampleTypeProperties } from '../src/sample-types.ts'
import type { BandInfo, PixelRows, Raster, SampleType } from '../src/types.ts'
import type { CogOptions } from '../src/cog/writer/cog-types.ts'
import { writeCog } from '../src/cog/writer/cog.ts'

/** A raster that a test describes by its values. */
export interface RasterDescription {
  readonly width: number
  readonly height: number
  readonly value: (x: number, y: number, band: number) => number
  readonly type?: SampleType
  readonly bands?: readonly Partial<BandInfo>[]
  readonly nodata?: number | null
  /** Default EPSG:32631. */
  readonly epsg?: number
  readonly affine?: Affine
}

/** Writes rasters to a folder that is removed by `close`, as are the files that are open. */
export function openRasterFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'rasters-'))
  const opened: Raster[] = []
  const open = async (path: string): Promise<Raster> => {
    const raster = await openRaster(await openFileSource(path))
    opened.push(raster)
    return raster
  }
  let files = 0
  const nextPath = (): string => join(folder, `${files++}.tif`)
  const make = async (description: RasterDescription, options: CogOptions = { block: 128 }): Promise<Raster> =>
    open((await writeCog(await describeInput(description), nextPath(), options)).path)
  const close = async (): Promise<void> => {
    for (const raster of opened) await raster.source.close()
    rmSync(folder, { recursive: true })
  }
  return { nextPath, open, make, close }
}

async function describeInput({ width, height, value, ...description }: RasterDescription) {
  const { type = 'uint16', nodata = null, epsg = 32_631 } = description
  const { affine = [500_000, 10, 0, 6_000_000, 0, -10], bands = [{}] } = description
  return {
    width,
    height,
    sampleType: type,
    bands: bands.map((band, at): BandInfo => ({
      name: `b${at + 1}`,
      colour: at === 0 ? 'gray' : 'undefined',
      scale: 1,
      offset: 0,
      statistics: null,
      ...band,
    })),
    nodata,
    masked: false,
    georeferencing: { affine, crs: await createCrsFromEpsg(epsg), geoTags: null },
    readRows: async (top: number, rows: number): Promise<PixelRows> => {
      const data = sampleTypeProperties[type].allocate(width * rows * bands.length)
      for (let at = 0; at < data.length; at++) {
        const pixel = Math.floor(at / bands.length)
        data[at] = value(pixel % width, top + Math.floor(pixel / width), at % bands.length)
      }
      return { width, rows, bands: bands.length, data, mask: null }
    },
  }
}
