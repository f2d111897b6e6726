import { spawnSync } from 'node:child_process'
import { readFile, unlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BandStatistics, Resampling, SampleArray, SampleType } from '@swath/raster'
import { createFolder, disposeWith } from '../prove/harness/resources.ts'
import { startJsonLinesProcess, type JsonLinesProcess } from './json-lines-process.ts'

export type OracleWindow = readonly [x0: number, y0: number, x1: number, y1: number]

/** GDAL's metadata of a file. */
export interface GdalInfo {
  readonly width: number
  readonly height: number
  readonly bands: number
  /** The numpy type: one of our sample types, or `complex64` and similar. */
  readonly type: string
  readonly levels: readonly (readonly [width: number, height: number])[]
  readonly lossy: boolean
  readonly alpha: number | null
  readonly nodata: string | null
  readonly palette: boolean
  /** PROJ's position of the image centre in EPSG:3857. */
  readonly middle: readonly [x: number, y: number] | null
}

/** Samples, band after band, with a mask of 0 and 255. */
export interface Pixels {
  readonly samples: SampleArray
  readonly mask: Uint8Array
}

/** The method by which gdalwarp creates a tile; see `tile` in gdal-oracle.py. */
export type WarpMethod = 'plain' | 'whole' | 'alpha' | 'padded' | 'aligned' | 'local'

export interface TileOptions {
  /** Our proj4 text of the file's reference system, if PROJ would use another datum shift. */
  readonly crs?: string
  /** Of a tile that is warped in cells only every n-th one; default all. */
  readonly cells?: number
}

export interface WarpedTile extends Pixels {
  readonly way: WarpMethod
  /** 255 where pixels can be compared, 0 elsewhere; null if all can. */
  readonly where: Uint8Array | null
}

export type GdalStatistics = Omit<BandStatistics, 'valid_percent'> & { readonly count: number }

export interface MapTile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly size: 256 | 512
}

/** GDAL in a process of its own; arrays are passed through files in a folder that is deleted at the end. */
export type GdalProcess = Awaited<ReturnType<typeof startGdal>>

interface SampleArrayConstructor {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): SampleArray
}

const arrays: Readonly<Record<SampleType, SampleArrayConstructor>> = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
}

interface PixelFiles {
  readonly samples: string
  readonly mask: string
}

interface TileFiles extends PixelFiles {
  readonly way: WarpMethod
  readonly where: string | null
}

/** A Python that has GDAL. Throws if there is none. */
export function requirePythonWithGdal(): string {
  const hasGdal = (python: string): boolean =>
    spawnSync(python, ['-c', 'import numpy; from osgeo import gdal'], { stdio: 'ignore' }).status === 0
  const python = ['/usr/bin/python3', 'python3'].find(hasGdal)
  if (python === undefined)
    throw new Error('GDAL with its Python bindings is required: apt-get install gdal-bin python3-gdal python3-numpy')
  return python
}

/** The command that serves a file of `COMMANDS` (see `serve_commands.py`), with the folder for its output. */
export function createServeCommand(python: string, file: string | URL, folder: string): string[] {
  return [python, fileURLToPath(new URL('./serve_commands.py', import.meta.url)), fileURLToPath(new URL(file)), folder]
}

/** Starts a program with GDAL, and a folder for its output that is removed at its stop. Throws if GDAL is not installed. */
export async function startGdalProgram(
  script: string,
): Promise<JsonLinesProcess & AsyncDisposable & { readonly folder: string }> {
  const folder = await createFolder('oracle')
  const command = createServeCommand(requirePythonWithGdal(), new URL(script, import.meta.url), folder.path)
  const { request, stop } = startJsonLinesProcess(command)
  const end = () => stop().finally(() => folder[Symbol.asyncDispose]())
  return disposeWith({ request, folder: folder.path, stop: end }, end)
}

/** Starts GDAL. Throws if it is not installed. */
export async function startGdal() {
  const program = await startGdalProgram('./gdal-oracle.py')
  const { request } = program
  const pixels = async (response: Promise<PixelFiles>, type: SampleType): Promise<Pixels> => {
    const { samples, mask } = await response
    return {
      samples: await readAndDeleteArray(samples, type),
      mask: (await readAndDeleteArray(mask, 'uint8')) as Uint8Array,
    }
  }
  return {
    ...program,
    versions: async () => (await request<{ text: string }>({ do: 'versions' })).text,
    describe: (file: string) => request<GdalInfo>({ do: 'describe', file }),
    read: (file: string, type: SampleType, level: number, window: OracleWindow) =>
      pixels(request({ do: 'read', file, level, window }), type),
    tile: async (
      file: string,
      type: SampleType,
      tile: MapTile,
      options: TileOptions & { readonly resampling: Resampling },
    ): Promise<WarpedTile> => {
      const response = request<TileFiles>({ do: 'tile', file, ...tile, ...options })
      const { way, where } = await response
      const cells = where === null ? null : ((await readAndDeleteArray(where, 'uint8')) as Uint8Array)
      return { ...(await pixels(response, type)), way, where: cells }
    },
    /** Null for a band without a valid sample. */
    statistics: async (file: string, window: OracleWindow) =>
      (await request<{ bands: (GdalStatistics | null)[] }>({ do: 'statistics', file, window })).bands,
    crop: async (file: string, width: number, height: number) =>
      (await request<{ path: string }>({ do: 'crop', file, width, height })).path,
    overviews: async (file: string, type: SampleType, resampling: 'average' | 'mode', block: number) => {
      const { levels } = await request<{ levels: string[] }>({ do: 'overviews', file, resampling, block })
      return Promise.all(levels.map((path) => readAndDeleteArray(path, type)))
    },
    validate: (file: string) =>
      request<{ readonly errors: readonly string[]; readonly warnings: readonly string[] }>({ do: 'validate', file }),
  }
}

async function readAndDeleteArray(path: string, type: SampleType): Promise<SampleArray> {
  const { buffer, byteOffset, byteLength } = await readFile(path)
  await unlink(path)
  const array = arrays[type]
  const { BYTES_PER_ELEMENT: bytes } = array
  // A small file may share a pooled buffer, at an unaligned offset.
  if (byteOffset % bytes !== 0) return new array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
  return new array(buffer as ArrayBuffer, byteOffset, byteLength / bytes)
}
